import { createDiffieHellman, createHash, getDiffieHellman } from "node:crypto";

/**
 * The group in which Cognito does its secure remote password protocol: the 3072-bit group 15 of RFC
 * 3526 with generator 2. Powers are taken by OpenSSL's Diffie-Hellman, which takes the same time
 * for every exponent, unlike a loop over big integers.
 */
const group = getDiffieHellman("modp15");
const primeBytes = group.getPrime();
const generatorBytes = group.getGenerator();

export const PRIME = toNumber(primeBytes);
export const GENERATOR = toNumber(generatorBytes);

/** The generator to the power of `exponent`. */
export function generatorPower(exponent: Buffer): bigint {
  const exchange = createDiffieHellman(primeBytes, generatorBytes);
  exchange.setPrivateKey(exponent);
  return toNumber(exchange.generateKeys());
}

/** `base` to the power of `exponent`, or null when the base is 0, 1 or the prime less 1. */
export function power(base: bigint, exponent: Buffer): bigint | null {
  if (base <= 1n || base >= PRIME - 1n) return null;
  const exchange = createDiffieHellman(primeBytes, generatorBytes);
  exchange.setPrivateKey(exponent);
  return toNumber(exchange.computeSecret(toBytes(base)));
}

/** SHA-256 of all parts. */
export function hash(...parts: readonly (Buffer | string)[]): Buffer {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/**
 * A number as Java's `BigInteger.toByteArray` writes it, with a zero byte in front where the first
 * bit is set: so Cognito hashes numbers.
 */
export function toBytes(number: bigint): Buffer {
  const hex = number.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, "hex");
}

export function toNumber(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString("hex")}`);
}
