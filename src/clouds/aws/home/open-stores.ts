import type { Store } from "../../../home/store.ts";
import { DiagnosticError, EXIT, fail } from "../../../model/diagnostic.ts";
import type { Clock } from "../../../model/world.ts";
import type { AwsAccess } from "../account/access.ts";
import type { AwsAccount } from "../account/account.ts";
import { clientSettings } from "../client/client-settings.ts";
import { errorName, errorText } from "../client/error-facts.ts";
import { explainAws } from "../client/explain.ts";
import { homeBucketName, makeHomeBucket } from "./home-bucket.ts";
import { ParameterStore } from "./parameter-store.ts";
import type { S3Address } from "./s3-address.ts";
import { S3Store } from "./s3-store.ts";

/** Reads are repeated this often; a write never is, see `S3StoreOptions.onceClient`. */
const READ_ATTEMPTS_MAX = 5;

/** The home of an account and region, in a bucket that the first write makes. */
export async function openAccountStore(account: AwsAccount, clock: Clock): Promise<Store> {
  const { S3Client } = await import("@aws-sdk/client-s3");
  const settings = clientSettings(account);
  const client = new S3Client({ ...settings, maxAttempts: READ_ATTEMPTS_MAX });
  const bucket = homeBucketName(account);
  const explain = (error: unknown) => explainHome(error, `s3://${bucket}`, account);
  return new S3Store({
    client,
    onceClient: new S3Client({ ...settings, maxAttempts: 1 }),
    bucket,
    prefix: "",
    clock,
    owner: account.id,
    makeBucket: async () => {
      try {
        await makeHomeBucket(client, account, clock);
      } catch (error) {
        throw explain(error);
      }
    },
    explain,
  });
}

/** The home in a bucket that somebody made, of any store that speaks S3. */
export async function openAddressedStore(
  { bucket, prefix }: S3Address,
  access: AwsAccess,
  clock: Clock,
): Promise<Store> {
  const { S3Client } = await import("@aws-sdk/client-s3");
  // The bucket may lie in another region than the stages.
  const settings = { ...clientSettings(access), followRegionRedirects: true };
  return new S3Store({
    client: new S3Client({ ...settings, maxAttempts: READ_ATTEMPTS_MAX }),
    onceClient: new S3Client({ ...settings, maxAttempts: 1 }),
    bucket,
    prefix,
    clock,
    owner: null,
    explain: (error) => explainHome(error, `s3://${bucket}`, access),
  });
}

/** Where the keys of an account's apps are. */
export async function openKeyStore(account: AwsAccount, clock: Clock): Promise<Store> {
  const { SSMClient } = await import("@aws-sdk/client-ssm");
  const settings = clientSettings(account);
  return new ParameterStore({
    client: new SSMClient({ ...settings, maxAttempts: READ_ATTEMPTS_MAX }),
    onceClient: new SSMClient({ ...settings, maxAttempts: 1 }),
    region: account.region,
    clock,
    explain: (error) => explainHome(error, "the keys of the home", account),
  });
}

function explainHome(error: unknown, place: string, access: AwsAccess): Error {
  if (error instanceof DiagnosticError) return error;
  const known = explainAws(error, `use ${place}`, access);
  if (known !== null) return known;
  if (errorName(error) === "NoSuchBucket") {
    return fail("HOME_BUCKET_MISSING", `There is no bucket for the home at ${place}`, {
      why: 'Only the bucket of home: "aws" is made by itself.',
      hint: "Check the name and the endpoint, or make the bucket.",
      exit: EXIT.home,
    });
  }
  return fail("HOME_UNREADABLE", `The home at ${place} does not work`, {
    why: `${errorName(error)}: ${errorText(error).replace(/\.$/, "")}.`,
    hint: "Run the command again; nothing was lost. Check the bucket and its policy when it goes on.",
    exit: EXIT.home,
  });
}
