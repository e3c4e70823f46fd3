// An issuer for tests: keys, tokens of any shape, and a server that publishes the keys and counts who asks.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Algorithm } from "./verify/algorithm.ts";

export interface TestKey {
  readonly algorithm: Algorithm;
  readonly keyId: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** As a key set has it. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

const CURVES = { ES256: "P-256", ES384: "P-384", ES512: "P-521" } as const;

export function newKey(algorithm: Algorithm, keyId: string = algorithm): TestKey {
  const { publicKey, privateKey } = newPair(algorithm);
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: keyId, alg: algorithm, use: "sig" };
  return { algorithm, keyId, publicKey, privateKey, jwk };
}

function newPair(algorithm: Algorithm) {
  switch (algorithm) {
    case "EdDSA":
      return generateKeyPairSync("ed25519");
    case "ES256":
    case "ES384":
    case "ES512":
      return generateKeyPairSync("ec", { namedCurve: CURVES[algorithm] });
    default:
      return generateKeyPairSync("rsa", { modulusLength: 2048 });
  }
}

/** One key for each family, made once. */
export const KEYS = [newKey("RS256"), newKey("ES256"), newKey("EdDSA")] as const;

export function base64url(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString("base64url");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Buffer.from(text).toString("base64url");
}

/** Signs what is there, right or wrong. */
export function signature(signed: string, key: TestKey): Buffer {
  const hash = key.algorithm === "EdDSA" ? null : `sha${key.algorithm.slice(2)}`;
  return sign(hash, Buffer.from(signed), { key: key.privateKey, dsaEncoding: "ieee-p1363" });
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Claims that an issuer puts into a token for Ada. */
export function claims(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const now = nowSeconds();
  const all = {
    iss: "https://issuer.example",
    aud: "notes",
    sub: "ada",
    email: "ada@example.com",
    iat: now,
    exp: now + 3600,
    ...changes,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/**
 * A signed token.
 *
 * @param payload claims; text and bytes go in as they are
 * @param header added to `alg` and `kid`; undefined takes one away, text replaces all of it
 */
export function token(
  key: TestKey,
  payload: unknown = claims(),
  header: Readonly<Record<string, unknown>> | string = {},
): string {
  const full =
    typeof header === "string" ? header : { alg: key.algorithm, kid: key.keyId, ...header };
  const signed = `${base64url(full)}.${base64url(payload)}`;
  return `${signed}.${signature(signed, key).toString("base64url")}`;
}

/** A server on this machine that remembers what it was asked. */
export class TestServer {
  readonly requests: string[] = [];
  answer: RequestListener;
  readonly #server: Server;

  constructor(answer: RequestListener) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      this.requests.push(`${request.method} ${request.url}`);
      this.answer(request, response);
    });
  }

  /** Publishes a key set. */
  static ofKeys(keys: readonly unknown[]): TestServer {
    return new TestServer(json({ keys }));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get origin(): string {
    const address = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Answers with JSON; text goes out as it is. */
export function json(body: unknown, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** A request with this Authorization header. */
export function withBearer(value: string): {
  readonly headers: { readonly authorization: string };
} {
  return { headers: { authorization: `Bearer ${value}` } };
}
