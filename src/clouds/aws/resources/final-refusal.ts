import { type DiagnosticError, EXIT, fail } from "../../../model/diagnostic.ts";
import { classify } from "../client/classify.ts";
import { errorName, errorText } from "../client/error-facts.ts";

/**
 * The problem that an error of the SDK is to the user; null for what may have worked all the same, such as a lost
 * connection or a failure of the service.
 *
 * @param subject what the call was for, such as the urn of a resource
 */
export function finalRefusal(subject: string, error: unknown): DiagnosticError | null {
  const why = `${errorText(error).replace(/\.$/, "")}.`;
  switch (classify(error)) {
    case "credentials":
      return fail(
        "AWS_CREDENTIALS_REFUSED",
        `AWS refuses the credentials in a call for ${subject}`,
        {
          why,
          hint: "Sign in again, then run the command again. What was done is recorded.",
          exit: EXIT.credentials,
        },
      );
    case "clock":
      return fail("AWS_CLOCK_OFF", `AWS refuses a call for ${subject}, for the clock here is off`, {
        why,
        hint: "Set the clock right, for example by turning on network time, and deploy again.",
        exit: EXIT.credentials,
      });
    case "denied":
      return fail("AWS_ACCESS_DENIED", `The credentials may not make a call for ${subject}`, {
        why,
        hint: "Give them the permission that is named above, then run the command again.",
        exit: EXIT.credentials,
      });
    case "answered":
      return isOfAws(error)
        ? fail("AWS_REFUSED", `AWS refused a call for ${subject}`, {
            why: `${errorName(error)}: ${why}`,
            hint: "Change what it complains about in the config, then run the command again.",
            exit: EXIT.failed,
          })
        : null;
    default:
      return null;
  }
}

/** Errors that the SDK made of a response; others are bugs of ours. */
function isOfAws(error: unknown): boolean {
  return error instanceof Error && Reflect.has(error, "$metadata");
}
