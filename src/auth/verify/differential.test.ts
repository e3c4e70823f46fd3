// Random changes of right tokens, half of them signed again by the right key. Whatever is accepted here must be
// accepted by jose and by aws-jwt-verify too; whatever is refused must be refused with an auth error.
// SCRIM_FUZZ sets the number of changes, SCRIM_FUZZ_SEED repeats a run.
import { JwtVerifier } from "aws-jwt-verify";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { AuthError } from "../auth-error.ts";
import { base64url, claims, KEYS, nowSeconds, signature, type TestKey } from "../issuer.fixture.ts";
import { KeySet } from "../keys/key-set.ts";
import { createPolicy } from "./policy.ts";
import { verify } from "./verify.ts";

const ROUNDS = Number(process.env["SCRIM_FUZZ"] ?? 100_000);
const SEED = Number(process.env["SCRIM_FUZZ_SEED"] ?? Date.now() % 2 ** 32);

/** mulberry32: small, and the same everywhere. */
let state = SEED;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function below(limit: number): number {
  return Math.floor(random() * limit);
}

function pick<T>(items: readonly T[]): T {
  return items[below(items.length)] as T;
}

const jwks = { keys: KEYS.map((key) => key.jwk) };
const issuer = "https://issuer.example";
const audience = "notes";
const policy = createPolicy("fuzz", {}, { issuers: [issuer], audiences: [audience], check: null });
const keySet = new KeySet({ fetch: async () => JSON.stringify(jwks), nowMs: Date.now });
const joseKeys = createLocalJWKSet(jwks as unknown as JSONWebKeySet);
const awsVerifier = JwtVerifier.create({ issuer, audience, jwksUri: "https://issuer.example/k" });
awsVerifier.cacheJwks(jwks as unknown as Parameters<typeof awsVerifier.cacheJwks>[0]);

/** Signing with RSA is slow, and its tokens differ from others in nothing but the signature. */
const SIGNERS: readonly TestKey[] = [KEYS[1], KEYS[2], KEYS[2], KEYS[2]];
const RSA_SIGNED = Array.from({ length: 50 }, (_, n) => {
  const signed = `${base64url({ alg: "RS256", kid: "RS256" })}.${base64url(claims({ n }))}`;
  return `${signed}.${signature(signed, KEYS[0]).toString("base64url")}`;
});

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  Number.POSITIVE_INFINITY,
  1.5,
  2 ** 53,
  "",
  "ada",
  "notes",
  issuer,
  "JWT",
  "at+jwt",
  "RS256",
  "ES256",
  "EdDSA",
  "none",
  "HS256",
  [],
  ["notes"],
  ["notes", 1],
  {},
  { a: 1 },
  [[[[]]]],
  "\ud800",
  "\u0000",
  nowSeconds() - 1,
  nowSeconds() + 30,
  nowSeconds() + 600,
  Date.now(),
];

const NAMES = [
  ..."iss aud sub exp nbf iat jti scope email typ alg kid crit b64 zip cty jwk jku x5c".split(" "),
  ..."__proto__ constructor toString a b c".split(" "),
];

const TEXTS = ["=", " ", "\n", ".", "+", "/", "-", "A", "\0", "\ufeff", '"', "{", "}", ",", ":"];

/** An object as JSON with some members changed, doubled, dropped or misspelled. */
function twistedJson(object: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(object).map(([name, value]) => member(name, value));
  for (let count = below(3); count > 0; count -= 1) {
    const at = below(members.length + 1);
    if (random() < 0.7) members.splice(at, below(2), member(pick(NAMES), pick(VALUES)));
    else if (random() < 0.5) members.splice(at, 1);
    else members.push(pick(members));
  }
  const text = `{${members.join(pick([",", ", ", ",\n"]))}}`;
  return random() < 0.1 ? twistedText(text) : text;
}

function member(name: string, value: unknown): string {
  const escaped =
    random() < 0.05 ? `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}` : name;
  const text = value === Number.POSITIVE_INFINITY ? "1e400" : JSON.stringify(value);
  return `"${escaped}":${text}`;
}

function twistedText(text: string): string {
  const at = below(text.length + 1);
  const choice = random();
  if (choice < 0.3) return text.slice(0, at) + pick(TEXTS) + text.slice(at);
  if (choice < 0.5) return text.slice(0, at) + text.slice(at + 1 + below(3));
  if (choice < 0.8) return text.slice(0, at) + pick([..."AQgwxyz019_-"]) + text.slice(at + 1);
  return text.slice(0, at) + text.slice(below(text.length + 1));
}

function twistedToken(): string {
  if (random() < 0.1) return twistedText(pick(RSA_SIGNED));
  const key = pick(SIGNERS);
  const header = { alg: key.algorithm, kid: key.keyId, typ: "JWT" };
  const isHeader = random() < 0.3;
  const first = base64url(isHeader ? twistedJson(header) : header);
  const second = base64url(isHeader ? claims() : twistedJson(claims({ n: below(1e6) })));
  const signed = random() < 0.05 ? twistedText(`${first}.${second}`) : `${first}.${second}`;
  const whole = `${signed}.${signature(signed, key).toString("base64url")}`;
  return random() < 0.25 ? twistedText(whole) : whole;
}

async function acceptedByOthers(token: string): Promise<boolean> {
  awsVerifier.verifySync(token);
  await jwtVerify(token, joseKeys, { issuer, audience });
  return true;
}

it(`accepts in ${ROUNDS} changes only what jose and aws-jwt-verify accept (seed ${SEED})`, async () => {
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const token = twistedToken();
    let subject: string;
    try {
      subject = (await verify(token, keySet, policy)).sub;
    } catch (error) {
      if (error instanceof AuthError) continue;
      throw new Error(`Round ${round} of seed ${SEED}: ${token}`, { cause: error });
    }
    accepted += 1;
    const others = await acceptedByOthers(token).catch((error: unknown) => {
      throw new Error(`Accepted alone in round ${round} of seed ${SEED}: ${token}`, {
        cause: error,
      });
    });
    expect([others, subject.length > 0]).toEqual([true, true]);
  }
  // A run that accepted next to nothing would have shown nothing.
  expect(accepted).toBeGreaterThan(ROUNDS / 20);
  expect(accepted).toBeLessThan(ROUNDS * 0.9);
}, 600_000);
