import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { AuthAdapter } from "../adapter/index.ts";
import { AuthError } from "../auth-error.ts";
import { fetchText, issuerUrl } from "../http/fetch-text.ts";
import { auth, verifyToken } from "../index.ts";
import { claims, json, KEYS, TestServer, token, withBearer } from "../issuer.fixture.ts";
import { SELF_SIGNED } from "../self-signed.fixture.ts";

const key = KEYS[1];
let server: TestServer;
let paths = 0;

beforeAll(async () => {
  server = await TestServer.ofKeys([key.jwk]).listen();
});

afterAll(() => server.close());

/** The code of what verifying throws when the key set is answered so, each time at a new address. */
async function codeWith(answer: RequestListener): Promise<string> {
  server.answer = answer;
  paths += 1;
  try {
    await verifyToken(token(key), { jwksUri: `${server.origin}/keys/${paths}` });
    return "accepted";
  } catch (error) {
    return error instanceof AuthError ? error.code : String(error);
  }
}

describe("fetching a key set", () => {
  it.each<readonly [string, RequestListener]>([
    ["status 500", json({ keys: [key.jwk] }, 500)],
    ["status 404", json({ keys: [key.jwk] }, 404)],
    ["status 204", (_request, response) => void response.writeHead(204).end()],
    ["HTML", json("<html></html>")],
    ["no JSON", json("{")],
    ["an empty body", json("")],
    ["null", json("null")],
    ["a list of keys alone", json([key.jwk])],
    ["keys that are no list", json({ keys: { a: key.jwk } })],
    ["no keys", json({})],
    ["more than 512 KiB", json({ keys: [key.jwk], fill: "x".repeat(512 * 1024) })],
    ["10,000 keys", json({ keys: Array.from({ length: 10_000 }, () => ({ kty: "RSA" })) })],
    ["bytes that are not UTF-8", (_request, response) => void response.end(Buffer.from([0xff]))],
    ["a connection that breaks", (request) => void request.socket.destroy()],
    [
      "a body that breaks off",
      (request, response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("{", () => request.socket.destroy());
      },
    ],
  ])("fails closed for %s", async (_what, answer) => {
    expect(await codeWith(answer)).toBe("JWKS_UNAVAILABLE");
  });

  it("follows no redirect", async () => {
    const before = server.requests.length;
    const answer: RequestListener = (_request, response) =>
      void response.writeHead(302, { location: `${server.origin}/elsewhere` }).end();
    expect(await codeWith(answer)).toBe("JWKS_UNAVAILABLE");
    expect(server.requests.length).toBe(before + 1);
  });

  it("gives up on an answer that comes drop by drop", async () => {
    const drops: NodeJS.Timeout[] = [];
    server.answer = (_request, response) => {
      response.writeHead(200);
      drops.push(setInterval(() => response.write(" "), 10));
    };
    const url = new URL(server.origin);
    const asked = fetchText({ url, method: "GET", bytesMax: 1e6, timeoutMs: 150 });
    await expect(asked).rejects.toThrow("did not answer in time");
    for (const drop of drops) clearInterval(drop);
  });

  it("gives up on a server that never answers", async () => {
    server.answer = () => undefined;
    const url = new URL(server.origin);
    const asked = fetchText({ url, method: "GET", bytesMax: 1e6, timeoutMs: 100 });
    await expect(asked).rejects.toThrow("did not answer in time");
  });

  it("fails closed when nobody listens or the host is unknown", async () => {
    const closed = await TestServer.ofKeys([]).listen();
    const { origin } = closed;
    await closed.close();
    for (const jwksUri of [origin, "https://keys.invalid/jwks.json"]) {
      const asked = verifyToken(token(key), { jwksUri });
      await expect(asked).rejects.toMatchObject({ code: "JWKS_UNAVAILABLE" });
    }
  });

  it("asks nobody whose certificate cannot be checked, whatever the environment says", async () => {
    const impostor = createServer(SELF_SIGNED, json({ keys: [key.jwk] }));
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    const jwksUri = `https://localhost:${(impostor.address() as AddressInfo).port}/`;
    const asked: string[] = [];
    impostor.on("request", ({ url = "" }) => asked.push(url));
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    try {
      const verified = verifyToken(token(key), { jwksUri });
      await expect(verified).rejects.toMatchObject({ code: "JWKS_UNAVAILABLE" });
      expect(asked).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      await new Promise((resolve) => impostor.close(resolve));
    }
  });

  it("tells of an issuer that hangs before the authorizer's own time is over", async () => {
    server.answer = () => undefined;
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const jwksUri = `${server.origin}/hangs`;
    const adapter = AuthAdapter.oidc({ issuer: "https://a.example", audience: "notes", jwksUri });
    const handler = auth.authorizer(async (event) => ({ user: await adapter.verify(event) }));
    expect(await handler(withBearer(token(key)))).toEqual({
      statusCode: 401,
      body: "Invalid token",
    });
    expect(error.mock.calls.join()).toContain("did not answer in time (JWKS_UNAVAILABLE)");
    error.mockRestore();
  });

  it("answers a request with 401, and tells the log of an outage", async () => {
    server.answer = json({}, 503);
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const handler = auth.handler((event) =>
      AuthAdapter.oidc({
        issuer: "https://issuer.example",
        audience: "notes",
        jwksUri: `${server.origin}/down`,
      }).verify(event),
    );
    expect(await handler(withBearer(token(key)), {})).toMatchObject({
      statusCode: 401,
      body: "Invalid token",
    });
    expect(error.mock.calls.join()).toContain("answered with status 503 (JWKS_UNAVAILABLE)");
    error.mockRestore();
  });

  it("takes only https, and http on this machine", () => {
    for (const good of [
      "https://a.example/k",
      "http://localhost:1/",
      "http://127.1.2.3/",
      "http://[::1]:3/",
    ]) {
      expect(issuerUrl("jwksUri", good)).toBeInstanceOf(URL);
    }
    for (const bad of [
      "http://a.example/k",
      "http://localhost.example/",
      "http://127.0.0.1.example/",
      "http://10.0.0.1/",
      "http://[::2]/",
      "file:///etc/passwd",
      "data:application/json,{}",
      "https://user:pass@a.example/",
      "https://user@a.example/",
      "/keys",
      "",
      undefined,
      null,
      7,
    ]) {
      expect(() => issuerUrl("jwksUri", bad)).toThrow(TypeError);
    }
  });
});

describe("discovery", () => {
  function provider(configuration: (origin: string) => unknown): RequestListener {
    return (request, response) => {
      const isKeys = request.url === "/the-keys";
      json(isKeys ? { keys: [key.jwk] } : configuration(server.origin))(request, response);
    };
  }

  async function discover(path: string, answer: RequestListener): Promise<unknown> {
    server.answer = answer;
    const issuer = `${server.origin}${path}`;
    const adapter = AuthAdapter.oidc({ issuer, audience: "notes" });
    const sent = withBearer(token(key, claims({ iss: issuer })));
    return adapter.verify(sent).catch((error: AuthError) => error.code);
  }

  it("finds the keys of an issuer by its own document, once", async () => {
    const before = server.requests.length;
    const answer = provider((origin) => ({
      issuer: `${origin}/a`,
      jwks_uri: `${origin}/the-keys`,
    }));
    const user = { id: "ada", email: "ada@example.com" };
    expect(await discover("/a", answer)).toEqual(user);
    expect(await discover("/a", answer)).toEqual(user);
    expect(server.requests.slice(before)).toEqual([
      "GET /a/.well-known/openid-configuration",
      "GET /the-keys",
    ]);
  });

  it("is of one issuer, also where another differs by a slash", async () => {
    const answer = provider((origin) => ({
      issuer: `${origin}/slash`,
      jwks_uri: `${origin}/the-keys`,
    }));
    expect(await discover("/slash/", answer)).toBe("JWKS_UNAVAILABLE");
    expect(await discover("/slash", answer)).toMatchObject({ id: "ada" });
    expect(await discover("/slash/", answer)).toBe("JWKS_UNAVAILABLE");
  });

  it.each<readonly [string, (origin: string) => unknown]>([
    ["another issuer's document", (origin) => ({ issuer: origin, jwks_uri: `${origin}/the-keys` })],
    ["a document without keys", (origin) => ({ issuer: `${origin}/b` })],
    ["keys in the clear", (origin) => ({ issuer: `${origin}/b`, jwks_uri: "http://a.example/" })],
    ["keys in a file", (origin) => ({ issuer: `${origin}/b`, jwks_uri: "file:///keys" })],
    ["no JSON", () => "<html>"],
    ["null", () => "null"],
  ])("refuses %s", async (what, configuration) => {
    const path = `/b-${what.replaceAll(" ", "-")}`;
    const answer = provider((origin) => {
      const value = configuration(origin);
      const isB = typeof value === "object" && value !== null && "issuer" in value;
      return isB && value.issuer === `${origin}/b`
        ? { ...value, issuer: `${origin}${path}` }
        : value;
    });
    expect(await discover(path, answer)).toBe("JWKS_UNAVAILABLE");
  });
});
