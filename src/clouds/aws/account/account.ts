import { EXIT, fail } from "../../../model/diagnostic.ts";
import { clientSettings } from "../client/client-settings.ts";
import { explainAws } from "../client/explain.ts";
import { quietSdk } from "../client/quiet-sdk.ts";
import { withinTime } from "../client/within-time.ts";
import type { AwsAccess } from "./access.ts";
import { type AwsChoice, chooseAccess } from "./choose-access.ts";

/** `providers.aws` of `app()`. */
export interface AwsSettings extends AwsChoice {
  /** Empty when any account will do. */
  readonly allowedAccountIds: readonly string[];
}

/** The account that the credentials are of. */
export interface AwsAccount extends AwsAccess {
  /** Twelve digits. */
  readonly id: string;
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  readonly partition: string;
}

/** With the repeats of the SDK. */
const IDENTITY_TIME_MAX_MS = 30_000;

/**
 * Finds out which account the credentials are of, which is the first call that any command makes, and whether it is
 * one that the config allows.
 *
 * @throws DiagnosticError `AWS_PROFILE_UNKNOWN`, `AWS_REGION_*`, `AWS_CREDENTIALS_*`, `AWS_CLOCK_OFF`,
 * `AWS_ACCOUNT_REFUSED` (exit 4), `AWS_UNREACHABLE` (1)
 */
export async function openAccount(
  settings: AwsSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AwsAccount> {
  quietSdk();
  const access = await chooseAccess(settings, env);
  const { id, partition } = await identify(access);
  const { allowedAccountIds } = settings;
  if (allowedAccountIds.length === 0 || allowedAccountIds.includes(id)) {
    return { ...access, id, partition };
  }
  const who = access.profile === null ? "These credentials are" : `Profile ${access.profile} is`;
  throw fail("AWS_ACCOUNT_REFUSED", `${who} of account ${id}, which this app may not use`, {
    why: `providers.aws.allowedAccountIds in app() names ${allowedAccountIds.join(", ")}.`,
    hint: "Set AWS_PROFILE to a profile of that account, or add this one to allowedAccountIds.",
    exit: EXIT.credentials,
  });
}

async function identify(
  access: AwsAccess,
): Promise<{ readonly id: string; readonly partition: string }> {
  const { GetCallerIdentityCommand, STSClient } = await import("@aws-sdk/client-sts");
  const client = new STSClient({ ...clientSettings(access), maxAttempts: 3 });
  try {
    const { Account = "", Arn = "" } = await withinTime(IDENTITY_TIME_MAX_MS, (abortSignal) =>
      client.send(new GetCallerIdentityCommand({}), { abortSignal }),
    );
    if (!/^\d{12}$/.test(Account)) throw new Error("AWS named no account");
    return { id: Account, partition: Arn.split(":")[1] || "aws" };
  } catch (error) {
    throw explainAws(error, "ask which account it belongs to", access) ?? error;
  } finally {
    client.destroy();
  }
}
