// Every way in which a token is known to have been forged, or could be read in two ways, against an RSA, an ECDSA and
// an Ed25519 key: the request is answered with 401 and one of three texts, and the issuer hears nothing of it.
import { createHmac, sign } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { AuthAdapter } from "../adapter/index.ts";
import { auth } from "../index.ts";
import {
  base64url,
  claims,
  KEYS,
  newKey,
  nowSeconds,
  signature,
  type TestKey,
  TestServer,
  token,
  withBearer,
} from "../issuer.fixture.ts";

const INVALID = { statusCode: 401, body: "Invalid token" };
const EXPIRED = { statusCode: 401, body: "Token expired" };
const ADA = { statusCode: 200, user: { id: "ada", email: "ada@example.com" } };

let server: TestServer;
let attacker: TestServer;
let authorize: (event: object) => Promise<unknown>;
const log: string[] = [];

beforeAll(async () => {
  server = await TestServer.ofKeys(KEYS.map((key) => key.jwk)).listen();
  attacker = await TestServer.ofKeys([]).listen();
  const adapter = AuthAdapter.oidc({
    issuer: "https://issuer.example",
    audience: "notes",
    jwksUri: `${server.origin}/keys`,
  });
  authorize = auth.authorizer(async (event) => ({ user: await adapter.verify(event) }));
  for (const method of ["warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void log.push(line));
  }
});

afterEach(() => {
  log.length = 0;
});

afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all([server.close(), attacker.close()]);
});

/** Answers for a token, having looked that the log tells nothing of it. */
async function answerTo(sent: string): Promise<unknown> {
  const answer = await authorize(withBearer(sent));
  const parts = sent.split(".").filter((part) => part.length >= 20);
  for (const line of log) for (const part of parts) expect(line).not.toContain(part);
  return answer;
}

function resigned(key: TestKey, header: string, payload: string): string {
  const signed = `${header}.${payload}`;
  return `${signed}.${signature(signed, key).toString("base64url")}`;
}

describe.each(KEYS)("a token of $algorithm", (key) => {
  const good = () => token(key);
  const [h, p, s] = good().split(".") as [string, string, string];

  it("is accepted when all of it is right", async () => {
    expect(await answerTo(good())).toEqual(ADA);
    expect(await answerTo(token(key, claims(), { typ: "JWT" }))).toEqual(ADA);
    expect(await answerTo(token(key, claims(), { typ: "application/at+JWT" }))).toEqual(ADA);
    expect(await answerTo(token(key, claims({ aud: ["other", "notes"] })))).toEqual(ADA);
  });

  it.each([
    ["of more than 8 KiB", token(key, claims({ long: "x".repeat(8192) }))],
    ["with more parts", `${good()}.e30`],
    ["with many parts", `${good()}${".".repeat(50)}`],
    ["encrypted", `${h}.${p}.${s}.${s}.${s}`],
    ["with two parts", `${h}.${p}`],
    ["with an empty signature", `${h}.${p}.`],
    ["with an empty header", `.${p}.${s}`],
    ["with an empty payload", `${h}..${s}`],
  ])("is refused when it is %s", async (_what, sent) => {
    expect(await answerTo(sent)).toEqual(INVALID);
  });

  it("is refused in a JSON serialization", async () => {
    const flattened = JSON.stringify({ protected: h, payload: p, signature: s });
    expect(await answerTo(flattened)).toEqual(INVALID);
  });

  it.each(["none", "None", "nOnE", "NONE", "", "HS256", "rs256", "PS256", "ES256K", "Ed25519"])(
    "is refused with the algorithm %j",
    async (alg) => {
      expect(await answerTo(token(key, claims(), { alg }))).toEqual(INVALID);
      const unsigned = `${base64url({ alg, kid: key.keyId })}.${p}.`;
      expect(await answerTo(unsigned)).toEqual(INVALID);
    },
  );

  it.each([[undefined], [null], [256], [["RS256"]], [{}], [true]])(
    "is refused with an algorithm that is %j",
    async (alg) => {
      expect(await answerTo(token(key, claims(), { alg }))).toEqual(INVALID);
    },
  );

  it("is refused when its MAC is made with the public key in any of its forms", async () => {
    const pem = key.publicKey.export({ format: "pem", type: "spki" }) as string;
    const der = key.publicKey.export({ format: "der", type: "spki" });
    const secrets = [pem, pem.trim(), der, der.toString("base64"), JSON.stringify(key.jwk)];
    for (const alg of ["HS256", "HS384", "HS512"]) {
      const signed = `${base64url({ alg, kid: key.keyId })}.${p}`;
      for (const secret of secrets) {
        const mac = createHmac(`sha${alg.slice(2)}`, secret)
          .update(signed)
          .digest("base64url");
        expect(await answerTo(`${signed}.${mac}`)).toEqual(INVALID);
      }
    }
  });

  it("is refused with another algorithm than its key's", async () => {
    for (const alg of ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA"]) {
      if (alg === key.algorithm) continue;
      expect(await answerTo(token(key, claims(), { alg }))).toEqual(INVALID);
    }
  });

  it("is refused with a key or the address of one in its header, and nobody is asked", async () => {
    const forged = newKey(key.algorithm, "forged");
    const url = `${attacker.origin}/keys`;
    const before = server.requests.length;
    for (const header of [
      { jwk: forged.jwk },
      { jku: url },
      { x5u: url },
      { x5c: ["MIIB"] },
      { jwk: null },
    ]) {
      expect(await answerTo(token(forged, claims(), { ...header, kid: key.keyId }))).toEqual(
        INVALID,
      );
      expect(await answerTo(token(key, claims(), header))).toEqual(INVALID);
    }
    expect(attacker.requests).toEqual([]);
    expect(server.requests.length).toBe(before);
  });

  it.each([
    ["../../../dev/null"],
    ["/dev/null"],
    ["' UNION SELECT 'key"],
    ["|sleep 10"],
    ["https://attacker.example/keys"],
    ["__proto__"],
    ["constructor"],
    ["toString"],
    [""],
    [`${key.keyId} `],
    ["k".repeat(1_000_000)],
    [1],
    [null],
    [[key.keyId]],
    [{ kid: key.keyId }],
    [undefined],
  ])("is refused with the key id %.40j", async (kid) => {
    expect(await answerTo(token(key, claims(), { kid }))).toEqual(INVALID);
  });

  it.each([
    [{ crit: ["exp"] }],
    [{ crit: [] }],
    [{ crit: "b64" }],
    [{ crit: ["b64"], b64: false }],
    [{ crit: ["b64"], b64: true }],
    [{ b64: false }],
    [{ zip: "DEF" }],
    [{ enc: "A128GCM" }],
    [{ cty: "JWT" }],
    [{ typ: "JWE" }],
    [{ typ: "dpop+jwt" }],
    [{ typ: "application/json" }],
    [{ typ: "" }],
    [{ typ: null }],
    [{ typ: ["JWT"] }],
  ])("is refused with %j in its header", async (header) => {
    expect(await answerTo(token(key, claims(), header))).toEqual(INVALID);
  });

  it.each([
    ["in the past", nowSeconds() - 1],
    ["long past", 1],
    ["zero", 0],
    ["negative", -1],
    ["hugely negative", -1e300],
    ["past by a part of a second", nowSeconds() - 0.5],
  ])("has expired when exp is %s", async (_what, exp) => {
    expect(await answerTo(token(key, claims({ exp })))).toEqual(EXPIRED);
  });

  it("has expired in the very second of its exp", async () => {
    const exp = nowSeconds() + 100;
    const sent = token(key, claims({ exp }));
    vi.useFakeTimers({ toFake: ["Date"], now: exp * 1000 - 1 });
    try {
      expect(await answerTo(sent)).toEqual(ADA);
      vi.setSystemTime(exp * 1000);
      expect(await answerTo(sent)).toEqual(EXPIRED);
      expect(await answerTo(token(key, claims({ exp, extra: 1 })))).toEqual(EXPIRED);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["missing", JSON.stringify(claims({ exp: undefined }))],
    ["text", JSON.stringify(claims({ exp: String(nowSeconds() + 60) }))],
    ["null", JSON.stringify(claims({ exp: null }))],
    ["true", JSON.stringify(claims({ exp: true }))],
    ["a list", JSON.stringify(claims({ exp: [nowSeconds() + 60] }))],
    ["an object", JSON.stringify(claims({ exp: {} }))],
    ["infinite", JSON.stringify(claims({ exp: 17 })).replace('"exp":17', '"exp":1e400')],
    ["in milliseconds", JSON.stringify(claims({ exp: Date.now() + 3_600_000 }))],
    ["beyond the numbers that are exact", JSON.stringify(claims({ exp: 2 ** 53 + 2 }))],
  ])("is refused when exp is %s", async (_what, payload) => {
    expect(await answerTo(token(key, payload))).toEqual(INVALID);
  });

  it.each([
    [{ nbf: nowSeconds() + 60 }],
    [{ nbf: "0" }],
    [{ nbf: null }],
    [{ nbf: nowSeconds() - 1, exp: nowSeconds() - 2 }],
    [{ iat: nowSeconds() + 120 }],
    [{ iat: String(nowSeconds()) }],
    [{ iat: null }],
    [{ iss: "https://issuer.example/" }],
    [{ iss: "https://other.example" }],
    [{ iss: "HTTPS://issuer.example" }],
    [{ iss: ["https://issuer.example"] }],
    [{ iss: undefined }],
    [{ iss: null }],
    [{ aud: "other" }],
    [{ aud: ["other"] }],
    [{ aud: [] }],
    [{ aud: ["notes", 1] }],
    [{ aud: { notes: true } }],
    [{ aud: undefined }],
    [{ aud: null }],
    [{ aud: "NOTES" }],
    [{ sub: undefined }],
    [{ sub: "" }],
    [{ sub: 1 }],
    [{ sub: null }],
    [{ sub: { id: "ada" } }],
    [{ sub: ["ada"] }],
    [{ jti: 1 }],
    [{ scope: ["openid"] }],
    [{ email: undefined }],
    [{ email: "" }],
    [{ email: 1 }],
    [{ email: ["ada@example.com"] }],
    [{ email_verified: false }],
    [{ email_verified: "false" }],
  ])("is refused with the claims %j", async (changes) => {
    expect(await answerTo(token(key, claims(changes)))).toEqual(INVALID);
  });

  it("is invalid rather than expired when more than its time is wrong", async () => {
    const exp = nowSeconds() - 60;
    expect(await answerTo(token(key, claims({ exp, iss: "https://other.example" })))).toEqual(
      INVALID,
    );
    const twice = JSON.stringify(claims({ exp })).replace("{", '{"sub":"eve",');
    expect(await answerTo(token(key, twice))).toEqual(INVALID);
  });

  it("is invalid rather than expired when it is forged", async () => {
    const expired = token(key, claims({ exp: nowSeconds() - 60 }));
    const forger = newKey(key.algorithm, key.keyId);
    expect(await answerTo(token(forger, claims({ exp: nowSeconds() - 60 })))).toEqual(INVALID);
    const [header, payload] = expired.split(".") as [string, string];
    expect(await answerTo(`${header}.${payload}.${s}`)).toEqual(INVALID);
  });

  it.each([
    ["sub twice", JSON.stringify(claims()).replace("{", '{"sub":"eve",')],
    ["exp twice", JSON.stringify(claims()).replace("{", '{"exp":9999999999,')],
    [
      "a name twice through an escape",
      JSON.stringify(claims()).replace("{", '{"\\u0073ub":"eve",'),
    ],
    [
      "a name twice deep inside",
      JSON.stringify(claims({ a: [{ b: 1 }] })).replace('"b":1', '"b":1,"b":2'),
    ],
    ["__proto__", JSON.stringify(claims()).replace("{", '{"__proto__":{"admin":true},')],
    ["__proto__ deep inside", JSON.stringify(claims()).replace("{", '{"a":{"__proto__":1},')],
    ["constructor", JSON.stringify(claims()).replace("{", '{"constructor":{},')],
    ["a byte order mark", `\ufeff${JSON.stringify(claims())}`],
    ["half of a surrogate pair", JSON.stringify(claims()).replace('"ada"', '"\\ud800"')],
    ["the other half", JSON.stringify(claims()).replace('"ada"', '"\\udc00\\ud800"')],
    ["a list", JSON.stringify([claims()])],
    ["text", '"ada"'],
    ["null", "null"],
    ["a number", "1"],
    ["nothing", " "],
    ["no JSON", "sub=ada"],
    ["more behind the object", `${JSON.stringify(claims())}{}`],
    ["a comment", `${JSON.stringify(claims())}//`],
    ["a trailing comma", JSON.stringify(claims()).replace("}", ",}")],
    [
      "deep nesting",
      JSON.stringify(claims()).replace("{", `{"a":${"[".repeat(2000)}${"]".repeat(2000)},`),
    ],
    ["nesting that never ends", "[".repeat(6000)],
    ["a text that never ends", '{"sub":"ada'],
  ])("is refused when its payload has %s", async (_what, payload) => {
    expect(await answerTo(token(key, payload))).toEqual(INVALID);
  });

  it("is refused when its payload is not UTF-8", async () => {
    const text = Buffer.from(JSON.stringify(claims({ sub: "ad?" })));
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const at = text.indexOf("?");
      const payload = Buffer.concat([
        text.subarray(0, at),
        Buffer.from(bytes),
        text.subarray(at + 1),
      ]);
      expect(await answerTo(token(key, payload))).toEqual(INVALID);
    }
  });

  it("may have any text that is Unicode in its claims", async () => {
    const sent = token(
      key,
      JSON.stringify(claims({ name: "A\u00e9\u6f22\u{1f600}" })).replace("A", "\\ud83d\\ude00"),
    );
    expect(await answerTo(sent)).toEqual(ADA);
  });

  it.each([
    ["alg twice", `{"alg":"none","alg":"${key.algorithm}","kid":"${key.keyId}"}`],
    ["kid twice", `{"kid":"x","alg":"${key.algorithm}","kid":"${key.keyId}"}`],
    [
      "a name twice through an escape",
      `{"\\u0061lg":"none","alg":"${key.algorithm}","kid":"${key.keyId}"}`,
    ],
    ["__proto__", `{"__proto__":{},"alg":"${key.algorithm}","kid":"${key.keyId}"}`],
    ["a byte order mark", `\ufeff{"alg":"${key.algorithm}","kid":"${key.keyId}"}`],
    ["a list", `["${key.algorithm}"]`],
    ["null", "null"],
  ])("is refused when its header has %s", async (_what, header) => {
    expect(await answerTo(token(key, claims(), header))).toEqual(INVALID);
  });

  it.each([
    ["padding", (part: string) => `${part}=`],
    ["twice the padding", (part: string) => `${part}==`],
    ["a line break at its end", (part: string) => `${part}\n`],
    ["a space inside", (part: string) => `${part.slice(0, 4)} ${part.slice(4)}`],
    ["a tab at its start", (part: string) => `\t${part}`],
    ["a NUL", (part: string) => `${part}\0`],
    ["a plus sign", (part: string) => `${part.slice(0, -4)}+${part.slice(-3)}`],
    ["a slash", (part: string) => `${part.slice(0, -4)}/${part.slice(-3)}`],
    ["a fullwidth dot", (part: string) => `${part}\uff0e`],
    ["a character too many", (part: string) => part + "A".repeat(5 - (part.length % 4))],
    ["an emoji", (part: string) => `${part}\u{1f600}`],
  ])("is refused when a part of it has %s", async (_what, change) => {
    expect(await answerTo([change(h), p, s].join("."))).toEqual(INVALID);
    expect(await answerTo([h, change(p), s].join("."))).toEqual(INVALID);
    expect(await answerTo([h, p, change(s)].join("."))).toEqual(INVALID);
    expect(await answerTo(resigned(key, change(h), p))).toEqual(INVALID);
    expect(await answerTo(resigned(key, h, change(p)))).toEqual(INVALID);
  });

  it("is refused when bits are left over at the end of a part", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let tried = 0;
    for (const length of [0, 1, 2]) {
      const payload = base64url(claims({ fill: "x".repeat(length) }));
      const parts = {
        header: h,
        payload,
        signature: resigned(key, h, payload).split(".")[2] ?? "",
      };
      for (const name of ["header", "payload", "signature"] as const) {
        const part = parts[name];
        if (part.length % 4 === 0) continue;
        const next = alphabet.charAt(alphabet.indexOf(part.at(-1) ?? "") + 1);
        const other = { ...parts, [name]: part.slice(0, -1) + next };
        expect(await answerTo(`${other.header}.${other.payload}.${other.signature}`)).toEqual(
          INVALID,
        );
        if (name !== "signature") {
          expect(await answerTo(resigned(key, other.header, other.payload))).toEqual(INVALID);
        }
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(3);
  });

  it("is refused when the signature is over other bytes", async () => {
    const other = token(key, claims({ sub: "eve" })).split(".") as [string, string, string];
    expect(await answerTo(`${h}.${other[1]}.${s}`)).toEqual(INVALID);
    expect(await answerTo(resigned(key, p, h))).toEqual(INVALID);
    const alone = signature(p, key).toString("base64url");
    expect(await answerTo(`${h}.${p}.${alone}`)).toEqual(INVALID);
    const bytes = Buffer.from(s, "base64url");
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      expect(await answerTo(`${h}.${p}.${flipped.toString("base64url")}`)).toEqual(INVALID);
    }
  });

  it("is refused when its signature is shorter or longer", async () => {
    const bytes = Buffer.from(s, "base64url");
    for (const changed of [
      bytes.subarray(1),
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.alloc(1)]),
      Buffer.concat([Buffer.alloc(1), bytes]),
      Buffer.alloc(bytes.length),
      Buffer.alloc(bytes.length, 0xff),
      Buffer.alloc(1),
    ]) {
      expect(await answerTo(`${h}.${p}.${changed.toString("base64url")}`)).toEqual(INVALID);
    }
  });
});

describe("ECDSA", () => {
  const key = KEYS[1];
  const ORDER = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const [h, p, s] = token(key).split(".") as [string, string, string];
  const r = Buffer.from(s, "base64url").subarray(0, 32);
  const low = Buffer.from(s, "base64url").subarray(32);

  function number(value: bigint): Buffer {
    return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
  }

  it("refuses r and s that are out of range", async () => {
    for (const value of [0n, ORDER, ORDER - 1n, ORDER + 1n, 2n ** 256n - 1n]) {
      for (const bytes of [
        Buffer.concat([number(value), low]),
        Buffer.concat([r, number(value)]),
        Buffer.concat([number(value), number(value)]),
      ]) {
        expect(await answerTo(`${h}.${p}.${bytes.toString("base64url")}`)).toEqual(INVALID);
      }
    }
  });

  it("refuses signatures in DER", async () => {
    const der = sign("sha256", Buffer.from(`${h}.${p}`), {
      key: key.privateKey,
      dsaEncoding: "der",
    });
    expect(await answerTo(`${h}.${p}.${der.toString("base64url")}`)).toEqual(INVALID);
  });

  it("accepts the other s of a signature, which the standard allows", async () => {
    const other = number(ORDER - BigInt(`0x${low.toString("hex")}`));
    const sent = `${h}.${p}.${Buffer.concat([r, other]).toString("base64url")}`;
    expect(await answerTo(sent)).toEqual(ADA);
  });
});

it("refuses 2 MB before it looks at them", async () => {
  const sent = token(KEYS[0], claims({ long: "x".repeat(2_000_000) }));
  expect(await answerTo(sent)).toEqual(INVALID);
});

it("made one request for keys, and one for the keys that nobody had", () => {
  expect(server.requests.length).toBeLessThanOrEqual(2);
  expect(attacker.requests).toEqual([]);
});
