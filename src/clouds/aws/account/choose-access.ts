import { didYouMean } from "../../../components/options/suggest.ts";
import { EXIT, fail } from "../../../model/diagnostic.ts";
import type { AwsAccess, Credentials } from "./access.ts";
import { sharedProfiles } from "./shared-config.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a config or an address says of where to go; null for what it leaves to the environment. */
export interface AwsChoice {
  readonly region: string | null;
  readonly profile: string | null;
}

/**
 * Chooses profile, region and endpoint. `AWS_PROFILE` and `AWS_REGION` win over the config, which wins over
 * `AWS_DEFAULT_REGION` and the region of the profile. A profile that was chosen wins over keys in the environment.
 *
 * @throws DiagnosticError `AWS_PROFILE_UNKNOWN`, `AWS_REGION_MISSING`, `AWS_REGION_INVALID` (exit 4)
 */
export async function chooseAccess(choice: AwsChoice, env: Environment): Promise<AwsAccess> {
  const profile = env["AWS_PROFILE"] || choice.profile;
  const profiles = sharedProfiles(env);
  if (profile !== null && !profiles.has(profile))
    throw profileUnknown(profile, [...profiles.keys()]);
  const region =
    env["AWS_REGION"] ||
    choice.region ||
    env["AWS_DEFAULT_REGION"] ||
    profiles.get(profile ?? "default")?.region ||
    null;
  if (region === null) throw regionMissing(profile);
  if (!/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(region)) throw regionInvalid(region);
  const credentials = await credentialsOf(profile, env);
  return { region, profile, credentials, endpoint: env["AWS_ENDPOINT_URL"] || null };
}

async function credentialsOf(profile: string | null, env: Environment): Promise<Credentials> {
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = env["AWS_SESSION_TOKEN"];
  if (profile === null && accessKeyId && secretAccessKey) {
    return async () => ({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
  }
  const { fromNodeProviderChain } = await import("@aws-sdk/credential-providers");
  return fromNodeProviderChain({ ...(profile !== null && { profile }), logger: SILENT });
}

/** The SDK would print that there are keys beside the profile; the profile was chosen, so it is what is meant. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

function profileUnknown(profile: string, known: readonly string[]): Error {
  return fail("AWS_PROFILE_UNKNOWN", `There is no AWS profile ${JSON.stringify(profile)}`, {
    why: "Neither ~/.aws/config nor ~/.aws/credentials has it.",
    hint:
      known.length === 0
        ? `Make it with: aws configure sso --profile ${profile}`
        : didYouMean(profile, known, "profiles"),
    exit: EXIT.credentials,
  });
}

function regionMissing(profile: string | null): Error {
  const who = profile === null ? "" : ` for profile ${JSON.stringify(profile)}`;
  return fail("AWS_REGION_MISSING", `No AWS region is set${who}`, {
    why: "Neither AWS_REGION, nor providers.aws.region in app(), nor the profile names one.",
    hint: "Set AWS_REGION, for example AWS_REGION=eu-central-1.",
    exit: EXIT.credentials,
  });
}

function regionInvalid(region: string): Error {
  return fail("AWS_REGION_INVALID", `${JSON.stringify(region)} is not an AWS region`, {
    hint: "Use one such as eu-central-1 or us-east-1.",
    exit: EXIT.credentials,
  });
}
