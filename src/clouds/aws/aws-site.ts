import { StoredKeyRing } from "../../home/keys/stored-key-ring.ts";
import type { Cloud } from "../cloud.ts";
import type { CloudOptions, Site, SiteOptions } from "../site.ts";
import type { AwsAccess } from "./account/access.ts";
import { type AwsAccount, openAccount } from "./account/account.ts";
import { chooseAccess } from "./account/choose-access.ts";
import { homesOfAccount } from "./home/homes-of-account.ts";
import { openAccountStore, openAddressedStore, openKeyStore } from "./home/open-stores.ts";
import { parseS3Address, type S3Address } from "./home/s3-address.ts";

/**
 * Opens the home in an AWS account, with its keys in the account's parameter store; or, for a home `s3://...`, that in
 * a bucket, with the keys on this machine. Which account it is, is found out before anything else.
 *
 * @throws DiagnosticError of the account (exit 4), `HOME_ADDRESS_INVALID` (2)
 */
export async function openAwsSite(home: string, options: SiteOptions): Promise<Site> {
  const address = parseS3Address(home);
  const account = await openAccount(options.settings.aws, options.configEnv);
  const { clock, random } = options;
  const openCloud = async (cloudOptions: CloudOptions): Promise<Cloud> => {
    const { openAwsCloud } = await import("./aws-cloud.ts");
    return openAwsCloud(account, clock, cloudOptions);
  };
  if (address !== null) {
    const access = await accessTo(address, account, options.configEnv);
    const store = await openAddressedStore(address, access, clock);
    return { store, keys: options.machineKeys, openCloud };
  }
  const [store, keys] = await Promise.all([
    openAccountStore(account, clock),
    openKeyStore(account, clock),
  ]);
  return {
    store,
    keys: new StoredKeyRing(keys, random, clock),
    openCloud,
    everyRegion: () => homesOfAccount(account, { region: account.region, store }, clock),
  };
}

function accessTo(
  address: S3Address,
  account: AwsAccount,
  env: SiteOptions["configEnv"],
): AwsAccess | Promise<AwsAccess> {
  const region = address.region ?? account.region;
  const endpoint = address.endpoint ?? account.endpoint;
  const { profile } = address;
  if (profile === null) return { ...account, region, endpoint };
  const chosen = { ...env, AWS_PROFILE: profile, AWS_REGION: region };
  return chooseAccess({ profile, region }, chosen).then((access) => ({ ...access, endpoint }));
}
