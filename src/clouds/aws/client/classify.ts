import { errorName, errorText, networkCode, statusOf } from "./error-facts.ts";

/**
 * What an error of the SDK says about the call, whatever the call was.
 *
 * - `throttled`: refused for now; nothing was done.
 * - `credentials`: they are expired, revoked, absent or wrong. `clock`: this machine's clock is off.
 * - `denied`: the credentials may not do this.
 * - `lost`: nobody knows whether it was done. `unreachable`: there is no way to the service.
 * - `answered`: the service says something about what was asked for.
 */
export type ErrorKind =
  | "throttled"
  | "credentials"
  | "clock"
  | "denied"
  | "lost"
  | "unreachable"
  | "answered";

export function classify(error: unknown): ErrorKind {
  const name = errorName(error);
  const rule = RULES.find(
    ({ names, text }) =>
      names.includes(name) && (text === undefined || text.test(errorText(error))),
  );
  return rule?.kind ?? kindOfTransport(error);
}

interface Rule {
  readonly kind: ErrorKind;
  readonly names: readonly string[];
  readonly text?: RegExp;
}

/** The first that fits decides. Services differ in how they name the same thing. */
const RULES: readonly Rule[] = [
  { kind: "lost", names: ["LostAnswer", "TimeoutError", "AbortError"] },
  { kind: "clock", names: ["RequestExpired", "RequestTimeTooSkewed"] },
  {
    kind: "clock",
    names: ["InvalidSignatureException", "SignatureDoesNotMatch"],
    text: /expired|not yet current|skew/i,
  },
  {
    kind: "credentials",
    names: [
      "AuthFailure",
      "CredentialsProviderError",
      "ExpiredToken",
      "ExpiredTokenException",
      "IncompleteSignature",
      "InvalidAccessKeyId",
      "InvalidClientTokenId",
      "InvalidSignatureException",
      "InvalidToken",
      "MissingAuthenticationToken",
      "MissingAuthenticationTokenException",
      "SignatureDoesNotMatch",
      "TokenProviderError",
      "TokenRefreshRequired",
      "UnrecognizedClientException",
    ],
  },
  {
    kind: "throttled",
    names: [
      "PriorRequestNotComplete",
      "RequestLimitExceeded",
      "RequestThrottled",
      "RequestThrottledException",
      "SlowDown",
      "ThrottledException",
      "Throttling",
      "ThrottlingException",
      "TooManyRequestsException",
    ],
  },
  {
    kind: "denied",
    names: [
      "AccessDenied",
      "AccessDeniedException",
      "AuthorizationError",
      "AuthorizationErrorException",
      "Forbidden",
      "UnauthorizedOperation",
    ],
  },
];

const NO_WAY: readonly string[] = [
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
];

function kindOfTransport(error: unknown): ErrorKind {
  const status = statusOf(error);
  if (status === 429) return "throttled";
  if (status === 403) return "denied";
  if (status !== null) return status >= 500 ? "lost" : "answered";
  if (NO_WAY.includes(networkCode(error))) return "unreachable";
  return networkCode(error) === "" ? "answered" : "lost";
}
