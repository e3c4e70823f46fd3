import { type DiagnosticError, EXIT, fail } from "../../../model/diagnostic.ts";
import { classify } from "./classify.ts";
import { errorName, errorText } from "./error-facts.ts";

/** Who calls AWS, and where; what a message about it names. */
export interface Caller {
  /** Null for whatever the environment offers. */
  readonly profile: string | null;
  readonly region: string;
  /** Null for AWS itself. */
  readonly endpoint: string | null;
}

/**
 * Puts an error of AWS in words: credentials (exit 4), what they may not do (4), a clock that is off (4), no way to the
 * service (1). Null for an error that is about what was asked for; who asked knows what to say of it.
 */
export function explainAws(error: unknown, doing: string, caller: Caller): DiagnosticError | null {
  switch (classify(error)) {
    case "credentials":
      return explainCredentials(error, caller);
    case "clock":
      return fail(
        "AWS_CLOCK_OFF",
        "AWS refuses requests because the clock of this machine is off",
        {
          why: `${errorText(error)}.`,
          hint: "Set the clock right, for example by turning on network time, and run the command again.",
          exit: EXIT.credentials,
        },
      );
    case "denied":
      return fail("AWS_ACCESS_DENIED", `${callerTextFirst(caller)} may not ${doing}`, {
        why: `${errorText(error).replace(/\.$/, "")}.`,
        hint: "Grant what is named above, for example with the policy that scrim aws policy prints.",
        exit: EXIT.credentials,
      });
    case "unreachable":
      return fail("AWS_UNREACHABLE", `There is no way to ${placeText(caller)}`, {
        why: `${errorText(error)}.`,
        hint: "Check the network and that the region exists, then run the command again.",
        exit: EXIT.failed,
      });
    default:
      return null;
  }
}

function explainCredentials(error: unknown, caller: Caller): DiagnosticError {
  const text = errorText(error).replace(/\.$/, "");
  if (/expired|refresh/i.test(errorName(error) + text)) {
    return fail(
      "AWS_CREDENTIALS_EXPIRED",
      `The credentials of ${callerText(caller)} have expired`,
      {
        why: `${text}.`,
        hint: `Sign in again${signInText(caller)}, then run the command again. What was done is recorded.`,
        exit: EXIT.credentials,
      },
    );
  }
  if (errorName(error) === "CredentialsProviderError") {
    return fail(
      "AWS_CREDENTIALS_MISSING",
      `${callerTextFirst(caller)} has no usable AWS credentials`,
      {
        why: `${text}.`,
        hint: `Set AWS_PROFILE to a profile that works, or sign in${signInText(caller)}.`,
        exit: EXIT.credentials,
      },
    );
  }
  return fail("AWS_CREDENTIALS_REFUSED", `AWS refuses the credentials of ${callerText(caller)}`, {
    why: `${text}.`,
    hint: "Check AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; the key may be deleted or inactive.",
    exit: EXIT.credentials,
  });
}

function callerText({ profile, region }: Caller): string {
  const who = profile === null ? "the environment" : `profile ${JSON.stringify(profile)}`;
  return `${who} (region ${region})`;
}

/** The same at the beginning of a sentence. */
function callerTextFirst(caller: Caller): string {
  const text = callerText(caller);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function signInText({ profile }: Caller): string {
  return profile === null ? "" : ` with: aws sso login --profile ${profile}`;
}

function placeText({ region, endpoint }: Caller): string {
  return endpoint ?? `AWS in region ${region}`;
}
