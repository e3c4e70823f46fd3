import type { Clock } from "../../../model/world.ts";
import type { RegionHome } from "../../site.ts";
import type { AwsAccount } from "../account/account.ts";
import { classify } from "../client/classify.ts";
import { clientSettings } from "../client/client-settings.ts";
import { explainAws } from "../client/explain.ts";
import { withinTime } from "../client/within-time.ts";
import { regionOfHome } from "./home-bucket.ts";
import { openAccountStore } from "./open-stores.ts";

/** With the repeats of the SDK. */
const LISTING_TIME_MAX_MS = 60_000;

/**
 * The homes of an account, by region. Who may not list the account's buckets is told of the home at hand alone.
 *
 * @throws DiagnosticError of the account (exit 4, 1)
 */
export async function homesOfAccount(
  account: AwsAccount,
  here: RegionHome,
  clock: Clock,
): Promise<readonly RegionHome[]> {
  const buckets = await bucketsOf(account);
  const regions = buckets
    .map((bucket) => regionOfHome(bucket, account.id))
    .filter((region) => region !== null)
    .filter((region) => region !== here.region);
  const others = regions.map(async (region) => ({
    region,
    store: await openAccountStore({ ...account, region }, clock),
  }));
  return [here, ...(await Promise.all(others))].sort((a, b) => (a.region < b.region ? -1 : 1));
}

async function bucketsOf(account: AwsAccount): Promise<readonly string[]> {
  const { ListBucketsCommand, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({ ...clientSettings(account), maxAttempts: 5 });
  // An account has one home a region, far fewer than one answer holds.
  const command = new ListBucketsCommand({
    Prefix: `scrim-home-${account.id}-`,
    MaxBuckets: 1_000,
  });
  try {
    const { Buckets = [] } = await withinTime(LISTING_TIME_MAX_MS, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
    return Buckets.map(({ Name = "" }) => Name);
  } catch (error) {
    if (classify(error) === "denied") return [];
    throw explainAws(error, "list the homes of the account", account) ?? error;
  } finally {
    client.destroy();
  }
}
