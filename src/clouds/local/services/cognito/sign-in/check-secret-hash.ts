import { createHmac, timingSafeEqual } from "node:crypto";
import { notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";

/**
 * Checks `SECRET_HASH` (Base64 of HMAC-SHA256 over username and client id, keyed with the secret).
 *
 * @throws CognitoError `NotAuthorizedException`
 */
export function checkSecretHash(client: PoolClient, username: string, given: string | null): void {
  if (client.secret === null) {
    if (given === null) return;
    throw notAuthorized(
      `Client ${client.id} is configured without secret but SECRET_HASH was received`,
    );
  }
  if (given === null)
    throw notAuthorized(
      `Client ${client.id} is configured with secret but SECRET_HASH was not received`,
    );
  const expected = createHmac("sha256", client.secret)
    .update(username + client.id)
    .digest();
  if (!equalBytes(Buffer.from(given, "base64"), expected))
    throw notAuthorized(`Unable to verify secret hash for client ${client.id}`);
}

/** Compares without telling by time where two texts differ. */
export function equalTexts(left: string, right: string): boolean {
  return equalBytes(Buffer.from(left), Buffer.from(right));
}

function equalBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
