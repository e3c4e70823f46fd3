import {
  AuthError,
  type AuthErrorBody,
  type AuthErrorCode,
  InvalidToken,
  JwksUnavailable,
  TokenExpired,
  Unauthorized,
} from "./auth-error.ts";
import { memberOf } from "./http/request-event.ts";

type Refusal = (code: AuthErrorCode, message: string, claim: string | undefined) => AuthError;

/** By the body that the client is told. */
const REFUSALS: ReadonlyMap<unknown, Refusal> = new Map<AuthErrorBody, Refusal>([
  ["Unauthorized", (_, message) => new Unauthorized(message)],
  ["Token expired", () => new TokenExpired()],
  [
    "Invalid token",
    (code, message, claim) =>
      code === "JWKS_UNAVAILABLE"
        ? new JwksUnavailable(message)
        : new InvalidToken(code, message, claim),
  ],
]);

/**
 * What was thrown, as a refusal; null when it is none. One of another copy of this library is known by its members,
 * since a bundle may hold two copies and a class is known only in its own. Never throws.
 */
export function authErrorOf(thrown: unknown): AuthError | null {
  try {
    return thrown instanceof AuthError ? thrown : ofAnotherCopy(thrown);
  } catch {
    // Members may throw, too.
    return null;
  }
}

function ofAnotherCopy(error: unknown): AuthError | null {
  const code = memberOf(error, "code");
  if (!(error instanceof Error) || memberOf(error, "statusCode") !== 401) return null;
  if (typeof code !== "string") return null;
  const claim = memberOf(error, "claim");
  const refusal = REFUSALS.get(memberOf(error, "body"));
  const known = typeof claim === "string" ? claim : undefined;
  return refusal?.(code as AuthErrorCode, String(error.message), known) ?? null;
}
