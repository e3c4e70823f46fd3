import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { clientSignature, newSrpClient, slowPower } from "./srp-client.fixture.ts";
import { GENERATOR, generatorPower, PRIME, power, toBytes, toNumber } from "./srp-group.ts";
import { expectedSignature, parseClientPublic, startSrpExchange } from "./srp-server.ts";
import { makeSrpVerifier } from "./srp-verifier.ts";

const CLAIM = {
  ...{ poolName: "pool", username: "ann", timestamp: "now" },
  secretBlock: Buffer.from("block"),
};

function exchangeOf(password: string) {
  const { srpSalt: salt, srpVerifier } = makeSrpVerifier("pool", "ann", password);
  const client = newSrpClient();
  const server = startSrpExchange(client.publicNumber, srpVerifier);
  const signature = (given: string) => {
    const { serverPublic } = server;
    return clientSignature(client, { ...CLAIM, password: given, salt, serverPublic });
  };
  return { server, signature };
}

describe("the secure remote password protocol", () => {
  it("ends with the same key on both sides for the right password only", () => {
    // Numbers that begin with zero bytes are padded in their own way; several rounds meet some.
    for (let round = 0; round < 8; round += 1) {
      const exchange = exchangeOf("right");
      const expected = expectedSignature(exchange.server, CLAIM);
      expect(exchange.signature("right")).toBe(expected);
      expect(exchange.signature("wrong")).not.toBe(expected);
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
