import { createHash, randomBytes } from "node:crypto";
import {
  AdminCreateUserCommand,
  type CognitoIdentityProviderClient,
} from "@aws-sdk/client-cognito-identity-provider";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CognitoFixture,
  createCognitoFixture,
  makeUser,
  PASSWORD,
  signIn,
} from "../cognito.fixture.ts";

const CALLBACK = "http://127.0.0.1:9999/callback";

let fixture: CognitoFixture;
let sdk: CognitoIdentityProviderClient;
let pool: Awaited<ReturnType<CognitoFixture["pool"]>>;
let base: string;
let clientId: string;
let people = 0;
let email: string;
/** What a browser would keep. */
let cookies: Map<string, string>;

beforeAll(async () => {
  fixture = await createCognitoFixture();
  sdk = fixture.sdk();
  pool = await fixture.pool("pool");
  base = String(pool["domain"]);
  clientId = String((await fixture.client(pool))["id"]);
});

afterAll(() => fixture.close());

beforeEach(() => {
  fixture.aheadMs = 0;
  cookies = new Map();
  people += 1;
  email = `ann${people}@example.com`;
});

/** One request of a browser that keeps cookies and does not follow redirects. */
async function visit(url: string, init: RequestInit = {}): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(url, {
    ...init,
    redirect: "manual",
    headers: { ...init.headers, cookie },
  });
  for (const text of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

function authorizeUrl(parameters: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    ...{ client_id: clientId, response_type: "code", redirect_uri: CALLBACK },
    ...parameters,
  });
  return `${base}/oauth2/authorize?${query}`;
}

/** Opens the login page and sends its form. */
async function login(url: string, fields: Record<string, string>): Promise<Response> {
  const first = await visit(url);
  const page = new URL(first.headers.get("location") ?? "", url).href;
  return await submit(page, await (await visit(page)).text(), fields);
}

/** Sends the form of a page with its hidden fields. */
function submit(page: string, html: string, fields: Record<string, string>): Promise<Response> {
  const hidden = [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const known = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
  return visit(page, {
    method: "POST",
    headers: { origin: fixture.endpoint },
    body: new URLSearchParams({ ...known, ...fields }),
  });
}

function sentTo(response: Response): URL {
  return new URL(response.headers.get("location") ?? "", base);
}

interface TokenAnswer {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

async function tokensIn(response: Response | undefined): Promise<TokenAnswer> {
  return (await response?.json()) as TokenAnswer;
}

function postToken(form: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ client_id: clientId, ...form });
  return fetch(`${base}/oauth2/token`, { method: "POST", headers, body });
}

/** A code for a user who has signed in. */
async function codeFor(parameters: Record<string, string> = {}): Promise<string> {
  await makeUser(sdk, String(pool["id"]), email);
  const done = await login(authorizeUrl(parameters), { username: email, password: PASSWORD });
  return sentTo(done).searchParams.get("code") ?? "";
}

describe("the hosted login", () => {
  it("ends with tokens for a client that proves with PKCE who asked for them", async () => {
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    await makeUser(sdk, String(pool["id"]), email);
    const done = await login(
      authorizeUrl({
        ...{ scope: "openid email", state: "a b&c", nonce: "n1" },
        ...{ code_challenge: challenge, code_challenge_method: "S256" },
      }),
      { username: email, password: PASSWORD },
    );
    expect(done.status).toBe(302);
    const callback = sentTo(done);
    expect(callback.href.startsWith(`${CALLBACK}?code=`)).toBe(true);
    expect(callback.searchParams.get("state")).toBe("a b&c");

    const code = callback.searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
    const stolen = await postToken({ ...form, code_verifier: "x".repeat(43) });
    expect([stolen.status, await stolen.json()]).toEqual([400, { error: "invalid_grant" }]);
    const answer = await postToken({ ...form, code_verifier: verifier });
    const tokens = await tokensIn(answer);
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
    expect(answer.headers.get("cache-control")).toBe("no-store");

    const keys = createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(tokens.id_token, keys, { audience: clientId });
    expect(payload).toMatchObject({ email, nonce: "n1", at_hash: expect.any(String) });
    const access = await jwtVerify(tokens.access_token, keys);
    expect(access.payload).toMatchObject({ scope: "openid email", version: 2 });
    const info = await fetch(`${base}/oauth2/userInfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(await info.json()).toEqual({
      ...{ sub: payload.sub, email, email_verified: "true", username: payload.sub },
    });

    const renewed = await postToken({
      ...{ grant_type: "refresh_token", refresh_token: tokens.refresh_token },
    });
    const again = await tokensIn(renewed);
    expect(again).not.toHaveProperty("refresh_token");
    await jwtVerify(again.access_token, keys);
  });

  it("takes a code once, and ends what a second use would share", async () => {
    const code = await codeFor();
    const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
    const answers = await Promise.all([postToken(form), postToken(form)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const tokens = await tokensIn(answers.find(({ status }) => status === 200));
    expect((await postToken(form)).status).toBe(400);
    const renewed = await postToken({
      ...{ grant_type: "refresh_token", refresh_token: tokens.refresh_token },
    });
    expect([renewed.status, await renewed.json()]).toEqual([400, { error: "invalid_grant" }]);
  });

  it("lets a code expire, and lets it be used only by its client and callback", async () => {
    const code = await codeFor();
    const form = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
    const { id } = await fixture.client(pool);
    for (const wrong of [{ redirect_uri: `${CALLBACK}/` }, { client_id: String(id) }])
      expect(await (await postToken({ ...form, ...wrong })).json()).toEqual({
        error: "invalid_grant",
      });
    fixture.aheadMs = 5 * 60_000 + 1;
    expect(await (await postToken(form)).json()).toEqual({ error: "invalid_grant" });
  });

  it("sends nobody to an address that is not exactly one of the client's", async () => {
    const foreign = [
      "http://evil.example/",
      `${CALLBACK}/`,
      `${CALLBACK}?x=1`,
      "http://127.0.0.1:9999/callback@evil.example",
      "//evil.example",
      "",
    ];
    for (const uri of foreign) {
      const answer = await visit(authorizeUrl({ redirect_uri: uri }));
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      const logout = await visit(
        `${base}/logout?${new URLSearchParams({ client_id: clientId, logout_uri: uri })}`,
      );
      expect([logout.status, logout.headers.get("location")]).toEqual([400, null]);
    }
    const twice = await visit(`${authorizeUrl()}&redirect_uri=http://evil.example/`);
    expect([twice.status, twice.headers.get("location")]).toEqual([400, null]);
  });

  it("tells the client of every other mistake", async () => {
    const mistakes = [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ scope: "openid admin" }, "invalid_scope"],
      [{ code_challenge: "x".repeat(43), code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge: "x".repeat(43) }, "invalid_request"],
    ] as const;
    for (const [parameters, error] of mistakes) {
      const answer = await visit(authorizeUrl({ ...parameters, state: "s" }));
      expect(sentTo(answer).searchParams.get("error")).toBe(error);
      expect(sentTo(answer).searchParams.get("state")).toBe("s");
    }
  });

  it("says the same of a wrong password and an unknown user, in a page without scripts", async () => {
    await makeUser(sdk, String(pool["id"]), email);
    for (const username of [email, "nobody@example.com", '"><script>alert(1)</script>']) {
      const answer = await login(authorizeUrl(), { username, password: "Wrong-Horse-1" });
      const html = await answer.text();
      expect(answer.status).toBe(400);
      expect(html).toContain("Incorrect username or password.");
      expect(html).not.toContain("<script");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });

  it("takes no form that another site or another browser sends", async () => {
    await makeUser(sdk, String(pool["id"]), email);
    const page = authorizeUrl().replace("/oauth2/authorize", "/login");
    const html = await (await visit(page)).text();
    const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const body = () => new URLSearchParams({ _csrf: token, username: email, password: PASSWORD });
    const foreign = [
      { origin: "http://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign)
      expect((await visit(page, { method: "POST", headers, body: body() })).status).toBe(403);
    cookies = new Map();
    expect((await visit(page, { method: "POST", body: body() })).status).toBe(403);
  });

  it("lets somebody with a temporary password choose one", async () => {
    await sdk.send(new AdminCreateUserCommand({ UserPoolId: String(pool["id"]), Username: email }));
    const temporary = await fixture.lastCode();
    const asked = await login(authorizeUrl(), { username: email, password: temporary });
    const html = await asked.text();
    expect(html).toContain("Choose a password of your own");
    const page = authorizeUrl().replace("/oauth2/authorize", "/login");
    const weak = await submit(page, html, { new_password: "weak" });
    expect(weak.status).toBe(400);
    const done = await submit(page, await weak.text(), { new_password: PASSWORD });
    expect(sentTo(done).searchParams.get("code")).toBeTruthy();
    await signIn(sdk, clientId, email);
  });

  it("asks once for all clients, until somebody signs out", async () => {
    await codeFor();
    expect(sentTo(await visit(authorizeUrl())).searchParams.get("code")).toBeTruthy();
    const out = await visit(
      `${base}/logout?client_id=${clientId}&logout_uri=http://127.0.0.1:9999/bye`,
    );
    expect(out.headers.get("location")).toBe("http://127.0.0.1:9999/bye");
    expect(sentTo(await visit(authorizeUrl())).pathname).toMatch(/\/login$/);
  });
});

describe("the token endpoint", () => {
  it("takes forms only", async () => {
    const code = await codeFor();
    const fields = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
    const asJson = await fetch(`${base}/oauth2/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...fields, client_id: clientId }),
    });
    expect([asJson.status, await asJson.json()]).toEqual([400, { error: "invalid_request" }]);
    const twice = await fetch(`${base}/oauth2/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `${new URLSearchParams({ ...fields, client_id: clientId })}&code=${code}`,
    });
    expect(await twice.json()).toEqual({ error: "invalid_request" });
    expect((await postToken(fields)).status).toBe(200);
  });

  it("wants the secret of a client that has one, in the header or in the form", async () => {
    const made = await fixture.client(pool, { generateSecret: true });
    const [id, secret] = [String(made["id"]), String(made["secret"])];
    const basic = (text: string) => ({
      authorization: `Basic ${Buffer.from(text).toString("base64")}`,
    });
    await makeUser(sdk, String(pool["id"]), email);
    const exchange = async (form: Record<string, string>, headers = {}) => {
      const done = await login(authorizeUrl({ client_id: id }), {
        ...{ username: email, password: PASSWORD },
      });
      cookies = new Map();
      const code = sentTo(done).searchParams.get("code") ?? "";
      const fields = { grant_type: "authorization_code", code, redirect_uri: CALLBACK };
      return (await postToken({ client_id: id, ...fields, ...form }, headers)).status;
    };
    expect(await exchange({})).toBe(400);
    expect(await exchange({ client_secret: "wrong" })).toBe(400);
    expect(await exchange({}, basic(`${id}:wrong`))).toBe(400);
    expect(await exchange({ client_secret: secret })).toBe(200);
    expect(await exchange({}, basic(`${id}:${secret}`))).toBe(200);
    expect((await postToken({ grant_type: "client_credentials" })).status).toBe(400);
  });

  it("is not there, like every page, where the pool has no domain", async () => {
    const bare = await fixture.pool("bare", { hostedLogin: false });
    const path = `${fixture.endpoint}/${bare["id"]}`;
    expect(bare).not.toHaveProperty("domain");
    for (const page of ["login", "oauth2/authorize", "oauth2/userInfo"])
      expect((await fetch(`${path}/${page}`)).status).toBe(404);
    expect((await fetch(`${path}/.well-known/jwks.json`)).status).toBe(200);
  });

  it("lets only pages of this machine read its answers", async () => {
    const ask = (origin: string) =>
      fetch(`${base}/.well-known/jwks.json`, { headers: { origin } }).then((response) =>
        response.headers.get("access-control-allow-origin"),
      );
    expect(await ask("http://localhost:5173")).toBe("http://localhost:5173");
    expect(await ask("http://evil.example")).toBeNull();
    const preflight = await fetch(fixture.endpoint, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:5173",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-amz-target",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("x-amz-target");
  });

  it("answers a token without the right scope, or of nobody, with 401", async () => {
    await makeUser(sdk, String(pool["id"]), email);
    const { access } = await signIn(sdk, clientId, email);
    for (const header of ["", `Bearer ${access}`, "Bearer x.y.z"]) {
      const answer = await fetch(`${base}/oauth2/userInfo`, {
        headers: { authorization: header },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error=/);
    }
  });
});
