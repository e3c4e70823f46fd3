/**
 * Odd primes up to 167. Keys that the flawed library made (CVE-2017-15361) are powers of 65537 modulo each of them; a
 * sound modulus is so for all of them once in about 2^27 times (Nemec et al., "The Return of Coppersmith's Attack",
 * 2017, section 3).
 */
const PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101,
  103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
];
const GENERATOR = 65_537;

/** Whether an RSA modulus, in base64url, has the fingerprint of keys that can be factored (ROCA). */
export function isRoca(modulus: string): boolean {
  const n = BigInt(`0x${Buffer.from(modulus, "base64url").toString("hex") || "0"}`);
  return PRIMES.every((prime) => isPower(Number(n % BigInt(prime)), prime));
}

function isPower(residue: number, prime: number): boolean {
  let power = 1;
  do {
    if (power === residue) return true;
    power = (power * GENERATOR) % prime;
  } while (power !== 1);
  return false;
}
