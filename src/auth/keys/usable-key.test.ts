import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { base64url, KEYS } from "../issuer.fixture.ts";
import { usableKey } from "./usable-key.ts";

it("refuses keys that are too weak or for something else", () => {
  const rsa = (modulusLength: number, publicExponent = 65_537) => {
    const pair = generateKeyPairSync("rsa", { modulusLength, publicExponent });
    return pair.publicKey.export({ format: "jwk" });
  };
  const good = rsa(2048);
  expect(usableKey(good)?.algorithms).toEqual(["RS256", "RS384", "RS512"]);
  expect(usableKey(rsa(2048, 3))).not.toBeNull();
  const n = (bytes: number) => Buffer.alloc(bytes, 0xff).toString("base64url");
  const refused: readonly unknown[] = [
    rsa(512),
    rsa(1024),
    { ...good, n: n(2048) },
    { ...good, n: n(1025) },
    { ...good, e: "AQ" },
    { ...good, e: "AA" },
    { ...good, e: "AQAA" },
    { ...good, e: Buffer.alloc(256, 0xff).toString("base64url") },
    { ...good, e: 65_537 },
    { ...good, n: undefined },
    { ...good, use: "enc" },
    { ...good, use: null },
    { ...good, key_ops: ["encrypt"] },
    { ...good, key_ops: "verify" },
    { ...good, alg: "PS256" },
    { ...good, alg: "RSA-OAEP" },
    { ...good, alg: null },
    { ...good, kid: 1 },
    { ...good, kty: "rsa" },
    { kty: "oct", k: base64url("secret"), kid: "mac" },
    { ...KEYS[1].jwk, alg: "ES384" },
    { ...KEYS[1].jwk, crv: "P-384" },
    { ...KEYS[1].jwk, crv: "secp256k1" },
    { ...KEYS[1].jwk, x: KEYS[1].jwk["y"], y: KEYS[1].jwk["x"] },
    { ...KEYS[1].jwk, y: undefined },
    { ...KEYS[2].jwk, crv: "Ed448" },
    { ...KEYS[2].jwk, crv: "X25519" },
    { ...KEYS[2].jwk, x: "AA" },
    { ...KEYS[2].jwk, x: 1 },
    null,
    "key",
    [],
    {},
  ];
  for (const entry of refused) expect([entry, usableKey(entry)]).toEqual([entry, null]);
});
