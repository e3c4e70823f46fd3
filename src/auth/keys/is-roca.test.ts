import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { isRoca } from "./is-roca.ts";
import { usableKey } from "./usable-key.ts";

/** A modulus of 2048 bits as the flawed library made its primes: k * M + 65537^a mod M, M the product of primes. */
function weakModulus(): string {
  const primes = Array.from({ length: 168 }, (_, n) => n).filter(
    (n) => n > 1 && !Array.from({ length: n }, (_, d) => d).some((d) => d > 1 && n % d === 0),
  );
  const product = primes.reduce((all, prime) => all * BigInt(prime), 1n);
  const n = ((1n << 2047n) / product + 1n) * product + (65_537n ** 5n % product);
  return Buffer.from(n.toString(16), "hex").toString("base64url");
}

it("refuses RSA keys with the fingerprint of ROCA, and no others", () => {
  const weak = weakModulus();
  expect(isRoca(weak)).toBe(true);
  const sound = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({
    format: "jwk",
  });
  expect(isRoca(sound.n ?? "")).toBe(false);
  expect(usableKey(sound)).not.toBeNull();
  expect(usableKey({ ...sound, n: weak })).toBeNull();
});
