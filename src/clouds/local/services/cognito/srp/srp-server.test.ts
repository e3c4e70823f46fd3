import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { GENERATOR, generatorPower, hash, PRIME, power, toBytes, toNumber } from "./srp-group.ts";
import { expectedSignature, parseClientPublic, startSrpExchange } from "./srp-server.ts";
import { makeSrpVerifier } from "./srp-verifier.ts";

/** `base` to the power of `exponent`, the slow way. */
function slowPower(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % PRIME;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}

/** What a client computes of the password, by RFC 5054 with Cognito's way of hashing. */
function clientSignature(password: string, exchange: ReturnType<typeof exchangeOf>): string {
  const { clientSecret, clientPublic, salt, server } = exchange;
  const scrambler = hash(toBytes(clientPublic), toBytes(server.serverPublic));
  const identity = hash(`poolann:${password}`);
  const secret = toNumber(hash(toBytes(BigInt(`0x${salt}`)), identity));
  const multiplier = toNumber(hash(toBytes(PRIME), toBytes(GENERATOR)));
  const base =
    (((server.serverPublic - multiplier * slowPower(GENERATOR, secret)) % PRIME) + PRIME) % PRIME;
  const shared = slowPower(base, clientSecret + toNumber(scrambler) * secret);
  const key = hkdfSync(
    ...([
      "sha256",
      toBytes(shared),
      toBytes(toNumber(scrambler)),
      "Caldera Derived Key",
      16,
    ] as const),
  );
  return createHmac("sha256", Buffer.from(key)).update("poolannblocknow").digest("base64");
}

function exchangeOf(password: string) {
  const { srpSalt, srpVerifier } = makeSrpVerifier("pool", "ann", password);
  const clientSecret = toNumber(randomBytes(64));
  const clientPublic = slowPower(GENERATOR, clientSecret);
  const server = startSrpExchange(clientPublic, srpVerifier);
  return { clientSecret, clientPublic, salt: srpSalt, server };
}

const CLAIM = {
  ...{ poolName: "pool", username: "ann", timestamp: "now" },
  secretBlock: Buffer.from("block"),
};

describe("the secure remote password protocol", () => {
  it("ends with the same key on both sides for the right password only", () => {
    // Numbers that begin with zero bytes are padded in their own way; several rounds meet some.
    for (let round = 0; round < 8; round += 1) {
      const exchange = exchangeOf("right");
      const expected = expectedSignature(exchange.server, CLAIM);
      expect(clientSignature("right", exchange)).toBe(expected);
      expect(clientSignature("wrong", exchange)).not.toBe(expected);
    }
  });

  it("takes powers as plain arithmetic does, and refuses bases without a secret", () => {
    const exponent = randomBytes(32);
    expect(generatorPower(exponent)).toBe(slowPower(GENERATOR, toNumber(exponent)));
    const base = toNumber(randomBytes(380));
    expect(power(base, exponent)).toBe(slowPower(base, toNumber(exponent)));
    for (const weak of [0n, 1n, PRIME - 1n, PRIME]) expect(power(weak, exponent)).toBeNull();
  });

  it("takes no public number with which a client knows the key without a password", () => {
    for (const number of [0n, 1n, PRIME - 1n, PRIME, PRIME * 2n])
      expect(parseClientPublic(number.toString(16))).toBeNull();
    for (const text of ["", "-1", "xyz", "0x12", " 12", "f".repeat(771)])
      expect(parseClientPublic(text)).toBeNull();
    expect(parseClientPublic("2")).toBe(2n);
  });

  it("writes numbers as Java does", () => {
    expect(toBytes(0x7fn)).toEqual(Buffer.from([0x7f]));
    expect(toBytes(0x80n)).toEqual(Buffer.from([0x00, 0x80]));
    expect(toBytes(0x123n)).toEqual(Buffer.from([0x01, 0x23]));
  });
});
