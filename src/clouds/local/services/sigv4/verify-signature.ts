import { createHmac, timingSafeEqual } from "node:crypto";
import { AuthProblem } from "./auth-problem.ts";
import { type CanonicalRequestParts, hashCanonicalRequest } from "./canonical-request.ts";
import type { SignedRequest } from "./signed-request.ts";

/** AWS accepts signatures made up to 15 minutes before or after its own clock. */
const SKEW_MAX_MS = 15 * 60 * 1000;

export interface SignatureCheck extends Omit<CanonicalRequestParts, "signedHeaders"> {
  readonly signed: SignedRequest;
  /** Null when the access key is not of this stage. */
  secretOf(accessKeyId: string): string | null;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** What checks of later chunks of a signed stream build on. */
export interface VerifiedSignature {
  readonly key: Buffer;
  readonly scope: string;
}

/** Checks key, time, signed headers and signature, in that order. @throws AuthProblem */
export function verifySignature(check: SignatureCheck): VerifiedSignature {
  const { signed } = check;
  const secret = check.secretOf(signed.accessKeyId);
  if (secret === null)
    throw new AuthProblem("unknown-key", "The access key is not one of this stage");
  checkTime(signed, check.nowMs);
  checkSignedHeaders(check);
  const scope = `${signed.day}/${signed.region}/${signed.service}/aws4_request`;
  const canonical = hashCanonicalRequest({ ...check, signedHeaders: signed.signedHeaders });
  const key = signingKey(secret, signed);
  const text = `AWS4-HMAC-SHA256\n${signed.timestamp}\n${scope}\n${canonical}`;
  if (!equalHex(hmac(key, text).toString("hex"), signed.signature))
    throw new AuthProblem("mismatch", "The request signature does not match the one sent");
  return { key, scope };
}

/** Compares two hex digests of equal length without telling by time where they differ. */
export function equalHex(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

export function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function signingKey(secret: string, signed: SignedRequest): Buffer {
  const day = hmac(`AWS4${secret}`, signed.day);
  return hmac(hmac(hmac(day, signed.region), signed.service), "aws4_request");
}

function checkTime(signed: SignedRequest, nowMs: number): void {
  if (!signed.timestamp.startsWith(signed.day))
    throw new AuthProblem("malformed", "The day of the credential is not that of X-Amz-Date");
  const signedMs = Date.parse(
    signed.timestamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"),
  );
  if (Number.isNaN(signedMs)) throw new AuthProblem("malformed", "X-Amz-Date is no date");
  const ageMs = nowMs - signedMs;
  if (signed.expiresSeconds !== null && ageMs > signed.expiresSeconds * 1000)
    throw new AuthProblem("expired", "Request has expired");
  const tooOld = signed.expiresSeconds === null && ageMs > SKEW_MAX_MS;
  if (tooOld || ageMs < -SKEW_MAX_MS)
    throw new AuthProblem(
      "skewed",
      "The difference between the request time and the current time is too large",
    );
}

/**
 * `host` and every `x-amz-*` header must be signed, or a middle man could change what the request
 * means.
 */
function checkSignedHeaders({ headers, signed }: SignatureCheck): void {
  const unsigned = Object.keys(headers).find(
    (name) =>
      (name === "host" || name.startsWith("x-amz-")) && !signed.signedHeaders.includes(name),
  );
  if (unsigned !== undefined)
    throw new AuthProblem(
      "unsigned-header",
      `There were headers present in the request which were not signed: ${unsigned}`,
    );
}
