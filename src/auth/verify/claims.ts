import { claimInvalid, TokenExpired } from "../auth-error.ts";
import type { Policy } from "./policy.ts";

/** The claims of a verified token. Frozen, because they may be remembered for the next request. */
export interface Claims {
  /** Who the token is about; never empty. */
  readonly sub: string;
  readonly iss?: string;
  readonly aud?: string | readonly string[];
  /** Seconds since the epoch. */
  readonly exp?: number;
  /** Seconds since the epoch. */
  readonly nbf?: number;
  /** Seconds since the epoch. */
  readonly iat?: number;
  readonly email?: unknown;
  readonly [claim: string]: unknown;
}

/** Clocks differ: a token may seem to come from the near future. */
const ISSUED_AHEAD_SECONDS_MAX = 60;

/** 9999-12-31. A later `exp` is one in milliseconds or a joke: such a token would never expire. */
const EXP_SECONDS_MAX = 253_402_300_799;

type Unchecked = Readonly<Record<string, unknown>>;

/**
 * Checks all claims of a payload whose signature is right. Expiry comes last, so that "expired" is said only of a
 * token that had otherwise been accepted.
 *
 * @throws InvalidToken CLAIM_INVALID
 * @throws TokenExpired
 */
export function checkClaims(payload: Unchecked, policy: Policy): Claims {
  const nowSeconds = Date.now() / 1000;
  checkTexts(payload);
  checkIssuer(payload["iss"], policy.issuers);
  checkAudience(payload["aud"], policy.audiences);
  const sub = payload["sub"];
  if (typeof sub !== "string" || sub === "") {
    throw claimInvalid("sub", "sub must be a string that is not empty");
  }
  const claims = payload as Claims;
  const exp = seconds(payload, "exp");
  checkStart(payload, exp, nowSeconds, policy.clockToleranceSeconds);
  policy.check?.(claims);
  checkExpiry(exp, nowSeconds, policy);
  return claims;
}

/** Those of the registered claims that are text (RFC 7519, section 4.1; RFC 8693, section 4.2). */
const TEXTS = ["iss", "jti", "scope"] as const;

function checkTexts(payload: Unchecked): void {
  for (const claim of TEXTS) {
    const value = payload[claim];
    if (value !== undefined && typeof value !== "string") {
      throw claimInvalid(claim, `${claim} must be a string`);
    }
  }
}

function checkIssuer(iss: unknown, issuers: Policy["issuers"]): void {
  if (issuers === null || (typeof iss === "string" && issuers.includes(iss))) return;
  throw claimInvalid("iss", "iss is not the expected issuer");
}

function checkAudience(aud: unknown, audiences: Policy["audiences"]): void {
  if (aud === undefined && audiences === null) return;
  const given: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!given.every((item) => typeof item === "string")) {
    throw claimInvalid("aud", "aud must be a string or a list of strings");
  }
  if (audiences !== null && !given.some((item) => audiences.includes(item))) {
    throw claimInvalid("aud", "aud is not the expected audience");
  }
}

function checkStart(
  payload: Unchecked,
  exp: number | undefined,
  nowSeconds: number,
  toleranceSeconds: number,
): void {
  const nbf = seconds(payload, "nbf");
  const iat = seconds(payload, "iat");
  if (nbf !== undefined && nbf - toleranceSeconds > nowSeconds) {
    throw claimInvalid("nbf", "The token is not valid yet");
  }
  if (nbf !== undefined && exp !== undefined && exp < nbf) {
    throw claimInvalid("nbf", "The token ends before it begins");
  }
  if (
    iat !== undefined &&
    iat > nowSeconds + Math.max(ISSUED_AHEAD_SECONDS_MAX, toleranceSeconds)
  ) {
    throw claimInvalid("iat", "The token was issued in the future");
  }
}

function checkExpiry(exp: number | undefined, nowSeconds: number, policy: Policy): void {
  if (exp === undefined) {
    if (policy.requireExp) throw claimInvalid("exp", "The token has no exp");
    return;
  }
  if (exp > EXP_SECONDS_MAX) throw claimInvalid("exp", "exp is not in seconds");
  if (exp + policy.clockToleranceSeconds <= nowSeconds) throw new TokenExpired();
}

function seconds(payload: Unchecked, claim: "exp" | "nbf" | "iat"): number | undefined {
  const value = payload[claim];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw claimInvalid(claim, `${claim} must be a finite number`);
  }
  return value;
}
