import { randomBytes } from "node:crypto";
import { generatorPower, hash, toBytes, toNumber } from "./srp-group.ts";

/** What a server keeps of a password for the secure remote password protocol; hex. */
export interface SrpVerifier {
  readonly srpSalt: string;
  readonly srpVerifier: string;
}

const SALT_BYTES = 16;

/**
 * The verifier of a password. It is a fast hash: whoever reads it can guess passwords offline, as
 * with every server of this protocol.
 *
 * @param poolName the pool's id behind its underscore
 */
export function makeSrpVerifier(
  poolName: string,
  username: string,
  password: string,
  salt: Buffer = randomBytes(SALT_BYTES),
): SrpVerifier {
  const identity = hash(`${poolName}${username}:${password}`);
  const secret = hash(toBytes(toNumber(salt)), identity);
  return {
    srpSalt: salt.toString("hex"),
    srpVerifier: generatorPower(secret).toString(16),
  };
}
