import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyToken } from "../index.ts";
import { claims, json, KEYS, TestServer, token, withBearer } from "../issuer.fixture.ts";
import { AuthAdapter, type OidcOptions } from "./index.ts";

const key = KEYS[1];
let server: TestServer;

beforeAll(async () => {
  server = await TestServer.ofKeys([key.jwk]).listen();
});

afterAll(() => server.close());

function options(): OidcOptions {
  return { issuer: "https://issuer.example", audience: "notes", jwksUri: `${server.origin}/keys` };
}

it("asks userInfo for an email where it is told to", async () => {
  const answer = server.answer;
  server.answer = (request, response) =>
    request.url === "/me"
      ? json({ sub: "ada", email: "ada@example.com" })(request, response)
      : answer(request, response);
  const sent = withBearer(token(key, claims({ email: undefined })));
  const adapter = AuthAdapter.oidc({ ...options(), userInfoUri: `${server.origin}/me` });
  expect(await adapter.verify(sent)).toEqual({ id: "ada", email: "ada@example.com" });
  await expect(AuthAdapter.oidc(options()).verify(sent)).rejects.toMatchObject({
    code: "EMAIL_UNAVAILABLE",
  });
});

it("takes the types of tokens that it is told to, and then no other", async () => {
  const adapter = AuthAdapter.oidc({ ...options(), types: ["Logout+JWT"] });
  const sent = withBearer(token(key, claims(), { typ: "application/logout+jwt" }));
  expect(await adapter.verify(sent)).toMatchObject({ id: "ada" });
  for (const typ of ["JWT", undefined]) {
    const other = withBearer(token(key, claims(), { typ }));
    await expect(adapter.verify(other)).rejects.toMatchObject({ code: "HEADER_REFUSED" });
  }
});

it.each<readonly [string, object]>([
  ["no option audiance", { audiance: "notes" }],
  ["audience is undefined", { audience: undefined }],
  ["audience must be", { audience: "" }],
  ["audience must be", { audience: null }],
  ["issuer must be", { issuer: "" }],
  ["issuer must be", { issuer: ["a", "b"] }],
  ["jwksUri must begin with https", { jwksUri: "http://a.example/keys" }],
  ["jwksUri is undefined", { jwksUri: undefined }],
])("says that %s", (problem, change) => {
  expect(() => AuthAdapter.oidc({ ...options(), ...change } as OidcOptions)).toThrow(problem);
});

it("finds no keys of an issuer that is no address", () => {
  const { issuer: _, jwksUri: __, ...rest } = options();
  expect(() => AuthAdapter.oidc({ ...rest, issuer: "issuer" })).toThrow(
    "issuer is not an absolute",
  );
});

it("verifyToken gives the claims of a token, and checks what it is told to", async () => {
  const { issuer, audience, jwksUri = "" } = options();
  const sent = token(key, claims({ role: "admin" }));
  expect(await verifyToken(sent, { jwksUri })).toMatchObject({ sub: "ada", role: "admin" });
  expect(await verifyToken(sent, { jwksUri, issuer, audience })).toMatchObject({ sub: "ada" });
  const wrong = verifyToken(sent, { jwksUri, issuer, audience: "other" });
  await expect(wrong).rejects.toMatchObject({ code: "CLAIM_INVALID", claim: "aud" });
  for (const sub of [undefined, 7, {}]) {
    const other = verifyToken(sub as unknown as string, { jwksUri });
    await expect(other).rejects.toMatchObject({ code: "TOKEN_MALFORMED" });
  }
});

it("verifyToken refuses options that would leave something unchecked", async () => {
  const { jwksUri = "" } = options();
  const sent = token(key);
  await verifyToken(sent, { jwksUri });
  for (const change of [
    { audience: undefined },
    { audience: null },
    { audience: () => "other" },
    { audience: [undefined] },
    { clockToleranceSeconds: Number.NaN },
    { audiance: "notes" },
    { issuer: "" },
  ]) {
    const asked = verifyToken(sent, { jwksUri, ...change } as { jwksUri: string });
    await expect(asked).rejects.toThrow(TypeError);
  }
  const inherited = Object.assign(Object.create({ audience: "other" }), { jwksUri });
  await expect(verifyToken(sent, inherited)).rejects.toMatchObject({ claim: "aud" });
  for (const none of [undefined, null, 7]) {
    await expect(verifyToken(sent, none as never)).rejects.toThrow(TypeError);
  }
});
