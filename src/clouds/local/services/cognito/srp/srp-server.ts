import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { GENERATOR, generatorPower, hash, PRIME, power, toBytes, toNumber } from "./srp-group.ts";

/** One exchange: what the server must remember between its two answers. */
export interface SrpExchange {
  /** A, the client's public number. */
  readonly clientPublic: bigint;
  /** B, the server's. */
  readonly serverPublic: bigint;
  /** b. */
  readonly serverSecret: Buffer;
  readonly verifier: bigint;
}

/** What the client has proven with: all that its signature covers besides the key. */
export interface SrpClaim {
  /** The pool's id behind its underscore. */
  readonly poolName: string;
  /** As it was named in the challenge. */
  readonly username: string;
  readonly secretBlock: Buffer;
  readonly timestamp: string;
}

const SECRET_BYTES = 64;
const KEY_BYTES = 16;
/** Names the purpose of the key; the protocol has no other. */
const KEY_INFO = "Caldera Derived Key";
/** k of SRP-6a. */
const MULTIPLIER = toNumber(hash(toBytes(PRIME), toBytes(GENERATOR)));

/** The client's public number of its hex text; null when it is none that an honest client sends. */
export function parseClientPublic(hex: string): bigint | null {
  if (!/^[0-9a-fA-F]{1,770}$/.test(hex)) return null;
  const number = BigInt(`0x${hex}`);
  return number > 1n && number < PRIME - 1n ? number : null;
}

/** @param verifier hex */
export function startSrpExchange(clientPublic: bigint, verifier: string): SrpExchange {
  const known = BigInt(`0x${verifier}`);
  const serverSecret = randomBytes(SECRET_BYTES);
  const serverPublic = (MULTIPLIER * known + generatorPower(serverSecret)) % PRIME;
  return { clientPublic, serverPublic, serverSecret, verifier: known };
}

/** The signature (Base64) that a client sends which knows the password; null for no such. */
export function expectedSignature(exchange: SrpExchange, claim: SrpClaim): string | null {
  const key = sharedKey(exchange);
  if (key === null) return null;
  return createHmac("sha256", key)
    .update(claim.poolName)
    .update(claim.username)
    .update(claim.secretBlock)
    .update(claim.timestamp)
    .digest("base64");
}

function sharedKey(exchange: SrpExchange): Buffer | null {
  const { clientPublic, serverPublic, serverSecret, verifier } = exchange;
  const scrambler = hash(toBytes(clientPublic), toBytes(serverPublic));
  const masked = power(verifier, scrambler);
  if (masked === null) return null;
  const secret = power((clientPublic * masked) % PRIME, serverSecret);
  if (secret === null) return null;
  const salt = toBytes(toNumber(scrambler));
  return Buffer.from(hkdfSync("sha256", toBytes(secret), salt, KEY_INFO, KEY_BYTES));
}
