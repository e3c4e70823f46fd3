// docs/reference/auth-checks.md compares what is accepted with two libraries: these are the lines of its table.
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { JwtVerifier } from "aws-jwt-verify";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { base64url, claims, newKey, nowSeconds, signature, token } from "../issuer.fixture.ts";
import { KeySet } from "../keys/key-set.ts";
import { createPolicy } from "./policy.ts";
import { verify } from "./verify.ts";

const PAGE = join(
  dirname(fileURLToPath(import.meta.url)),
  "../../../docs/reference/auth-checks.md",
);

const key = newKey("ES256");
const weak = { ...newKey("RS256"), ...generateKeyPairSync("rsa", { modulusLength: 1024 }) };
const weakJwk = { ...weak.publicKey.export({ format: "jwk" }), kid: weak.keyId, alg: "RS256" };
const jwks = { keys: [key.jwk, weakJwk] };
const json = JSON.stringify(claims());

/** A token whose payload is padded in base64url, and signed so. */
function padded(): string {
  const header = base64url({ alg: "ES256", kid: "ES256" });
  const payloads = [1, 2, 3].map((n) => base64url({ ...claims(), fill: "x".repeat(n) }));
  const payload = payloads.find((part) => part.length % 4 === 3) ?? "";
  const signed = `${header}.${payload}=`;
  return `${signed}.${signature(signed, key).toString("base64url")}`;
}

const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const notUtf8 = Buffer.concat([
  Buffer.from(json.slice(0, -1)),
  Buffer.from(',"name":"\xff"}', "latin1"),
]);

/** The line of the table, the tokens, and who accepts them: jose, aws-jwt-verify. */
const LINES: readonly (readonly [string, readonly string[], boolean, boolean])[] = [
  [
    "a name twice (`alg`, `sub`)",
    [
      token(key, json.replace("{", '{"sub":"eve",')),
      token(key, claims(), '{"alg":"none","alg":"ES256","kid":"ES256"}'),
    ],
    true,
    true,
  ],
  [
    "no `exp`, `iat` in the future, no `sub`",
    [{ exp: undefined }, { iat: nowSeconds() + 3000 }, { sub: undefined }].map((change) =>
      token(key, claims(change)),
    ),
    true,
    true,
  ],
  [
    "`exp: 1e400`, which never comes",
    [token(key, json.replace(/"exp":\d+/, '"exp":1e400'))],
    true,
    false,
  ],
  [
    "`crit` with unknown names, or empty",
    [["unknown"], []].map((crit) => token(key, claims(), { crit })),
    false,
    true,
  ],
  ["base64url with padding", [padded()], true, true],
  ["bytes that are not UTF-8", [token(key, notUtf8)], false, true],
  ["a key of RSA-1024", [token(weak)], false, true],
  ["2 MB", [token(key, claims({ fill: "x".repeat(2_000_000) }))], true, true],
  ["JSON nested 20,000 deep", [token(key, json.replace("{", `{"a":${nested},`))], true, false],
];

const issuer = "https://issuer.example";
const audience = "notes";

async function byJose(sent: string): Promise<boolean> {
  const keys = createLocalJWKSet(jwks as unknown as JSONWebKeySet);
  return jwtVerify(sent, keys, { issuer, audience }).then(
    () => true,
    () => false,
  );
}

async function byAws(sent: string): Promise<boolean> {
  const verifier = JwtVerifier.create({ issuer, audience, jwksUri: `${issuer}/keys` });
  verifier.cacheJwks(jwks as unknown as Parameters<typeof verifier.cacheJwks>[0]);
  return verifier.verify(sent).then(
    () => true,
    () => false,
  );
}

async function byUs(sent: string): Promise<boolean> {
  const policy = createPolicy("x", {}, { issuers: [issuer], audiences: [audience], check: null });
  const keySet = new KeySet({ fetch: async () => JSON.stringify(jwks), nowMs: Date.now });
  return verify(sent, keySet, policy).then(
    () => true,
    () => false,
  );
}

it("all three accept a right token", async () => {
  const sent = token(key);
  expect([await byJose(sent), await byAws(sent), await byUs(sent)]).toEqual([true, true, true]);
});

it.each(LINES)("a token with %s is told of as it is", async (what, tokens, jose, aws) => {
  for (const sent of tokens) {
    expect([await byJose(sent), await byAws(sent), await byUs(sent)]).toEqual([jose, aws, false]);
  }
  const word = (accepts: boolean) => (accepts ? "accepts" : "refuses");
  const line = `| ${what} | ${word(jose)} | ${word(aws)} | refuses |`;
  expect(readFileSync(PAGE, "utf8")).toContain(line);
});
