// The client's side of the secure remote password protocol, the slow way.
import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { GENERATOR, hash, PRIME, toBytes, toNumber } from "./srp-group.ts";

/** `base` to the power of `exponent`. */
export function slowPower(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % PRIME;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}

export interface SrpClient {
  readonly secret: bigint;
  readonly publicNumber: bigint;
}

export function newSrpClient(): SrpClient {
  const secret = toNumber(randomBytes(64));
  return { secret, publicNumber: slowPower(GENERATOR, secret) };
}

/** What a client is told, and what it knows. */
export interface SrpTold {
  readonly poolName: string;
  readonly username: string;
  readonly password: string;
  /** Hex. */
  readonly salt: string;
  readonly serverPublic: bigint;
  readonly secretBlock: Buffer;
  readonly timestamp: string;
}

/** What a client computes of the password, by RFC 5054 with Cognito's way of hashing. */
export function clientSignature(client: SrpClient, told: SrpTold): string {
  const { poolName, username, password, serverPublic } = told;
  const scrambler = hash(toBytes(client.publicNumber), toBytes(serverPublic));
  const identity = hash(`${poolName}${username}:${password}`);
  const secret = toNumber(hash(toBytes(BigInt(`0x${told.salt}`)), identity));
  const multiplier = toNumber(hash(toBytes(PRIME), toBytes(GENERATOR)));
  const base =
    (((serverPublic - multiplier * slowPower(GENERATOR, secret)) % PRIME) + PRIME) % PRIME;
  const shared = slowPower(base, client.secret + toNumber(scrambler) * secret);
  const salt = toBytes(toNumber(scrambler));
  const key = hkdfSync("sha256", toBytes(shared), salt, "Caldera Derived Key", 16);
  return createHmac("sha256", Buffer.from(key))
    .update(poolName)
    .update(username)
    .update(told.secretBlock)
    .update(told.timestamp)
    .digest("base64");
}
