import type { RequestListener } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AuthError } from "../auth-error.ts";
import { json, KEYS, nowSeconds, TestServer, token, withBearer } from "../issuer.fixture.ts";
import { AuthAdapter, type CognitoOptions } from "./index.ts";

const POOL = "eu-west-1_AbCdEf123";
const ISSUER = `https://cognito-idp.eu-west-1.amazonaws.com/${POOL}`;
const ADA = { id: "ada", email: "ada@example.com" };
const key = KEYS[0];

let cognito: TestServer;
let user: RequestListener;

beforeAll(async () => {
  cognito = await new TestServer((request, response) => {
    const isKeys = request.url === `/${POOL}/.well-known/jwks.json`;
    (isKeys ? json({ keys: [key.jwk] }) : user)(request, response);
  }).listen();
});

beforeEach(() => {
  user = json({ __type: "NotAuthorizedException" }, 400);
  cognito.requests.length = 0;
});

afterAll(() => cognito.close());

function adapter(options: Partial<CognitoOptions> = {}) {
  return AuthAdapter.cognito({ userPoolId: POOL, endpoint: cognito.origin, ...options });
}

/** Makes tokens different from each other, so that none is remembered from another test. */
let serial = 0;

function idToken(changes: Readonly<Record<string, unknown>> = {}): string {
  return made({
    token_use: "id",
    aud: "client1",
    email: "ada@example.com",
    email_verified: true,
    "cognito:username": "ada",
    ...changes,
  });
}

function accessToken(changes: Readonly<Record<string, unknown>> = {}): string {
  return made({
    token_use: "access",
    client_id: "client1",
    username: "ada",
    scope: "openid email",
    ...changes,
  });
}

function made(changes: Readonly<Record<string, unknown>>): string {
  const now = nowSeconds();
  serial += 1;
  const claims = { iss: ISSUER, sub: "ada", iat: now, exp: now + 3600, jti: `${serial}` };
  return token(key, { ...claims, ...changes });
}

async function outcome(sent: string, options?: Partial<CognitoOptions>): Promise<unknown> {
  try {
    return await adapter(options).verify(withBearer(sent));
  } catch (error) {
    if (error instanceof AuthError) return [error.code, error.claim].filter(Boolean).join(" ");
    throw error;
  }
}

function getUser(attributes: Readonly<Record<string, string>>): RequestListener {
  const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  return json({ Username: "ada", UserAttributes });
}

describe("a user pool", () => {
  it("vouches for the users of its id tokens", async () => {
    expect(await outcome(idToken())).toEqual(ADA);
    expect(await outcome(idToken(), { clientId: "client1", tokenUse: "id" })).toEqual(ADA);
    expect(await outcome(idToken(), { clientId: ["other", "client1"] })).toEqual(ADA);
    expect(await outcome(idToken({ "cognito:groups": ["a", "b"] }))).toEqual(ADA);
    const global = `https://issuer-cognito-idp.eu-west-1.amazonaws.com/${POOL}`;
    expect(await outcome(idToken({ iss: global }))).toEqual(ADA);
  });

  it("vouches for the users of its access tokens that carry an email", async () => {
    expect(await outcome(accessToken({ email: "ada@example.com" }))).toEqual(ADA);
    expect(
      await outcome(accessToken({ email: "ada@example.com" }), { clientId: "client1" }),
    ).toEqual(ADA);
    expect(cognito.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  });

  it.each([
    ["another pool of the region", { iss: ISSUER.replace("AbCdEf123", "Other") }, "iss"],
    ["another region", { iss: ISSUER.replaceAll("eu-west-1", "us-east-1") }, "iss"],
    ["no token_use", { token_use: undefined }, "token_use"],
    ["a refresh token's use", { token_use: "refresh" }, "token_use"],
    ["an odd token_use", { token_use: ["id"] }, "token_use"],
    ["no audience", { aud: undefined }, "aud"],
    ["an empty audience", { aud: "" }, "aud"],
    ["a list of audiences", { aud: ["client1"] }, "aud"],
    ["groups that are text", { "cognito:groups": "admins" }, "cognito:groups"],
    ["groups that are numbers", { "cognito:groups": [1] }, "cognito:groups"],
    ["groups that are an object", { "cognito:groups": { admins: true } }, "cognito:groups"],
  ])("does not vouch for a token with %s", async (_what, changes, claim) => {
    expect(await outcome(idToken(changes))).toBe(`CLAIM_INVALID ${claim}`);
  });

  it("takes only what its options say", async () => {
    expect(await outcome(idToken(), { clientId: "other" })).toBe("CLAIM_INVALID aud");
    expect(await outcome(accessToken(), { clientId: "other" })).toBe("CLAIM_INVALID client_id");
    expect(await outcome(accessToken({ client_id: undefined }))).toBe("CLAIM_INVALID client_id");
    expect(await outcome(idToken(), { tokenUse: "access" })).toBe("CLAIM_INVALID token_use");
    expect(await outcome(accessToken(), { tokenUse: "id" })).toBe("CLAIM_INVALID token_use");
    const swapped = accessToken({ client_id: undefined, aud: "client1" });
    expect(await outcome(swapped, { clientId: "client1" })).toBe("CLAIM_INVALID client_id");
  });

  it("says expired only of tokens that were its own", async () => {
    const exp = nowSeconds() - 1;
    expect(await outcome(idToken({ exp }))).toBe("TOKEN_EXPIRED exp");
    expect(await outcome(idToken({ exp }), { clientId: "other" })).toBe("CLAIM_INVALID aud");
    expect(await outcome(idToken({ exp, token_use: "refresh" }))).toBe("CLAIM_INVALID token_use");
  });

  it("refuses an email that is not verified, unless that is allowed", async () => {
    const sent = idToken({ email_verified: false });
    expect(await outcome(sent)).toBe("EMAIL_UNAVAILABLE");
    expect(await outcome(sent, { allowUnverifiedEmail: true })).toEqual(ADA);
    expect(await outcome(idToken({ email_verified: undefined }))).toEqual(ADA);
    expect(await outcome(idToken({ email: "" }))).toBe("EMAIL_UNAVAILABLE");
    expect(await outcome(idToken({ email: 1 }))).toBe("EMAIL_UNAVAILABLE");
  });
});

describe("an access token without email", () => {
  const scope = "aws.cognito.signin.user.admin openid";

  it("gets it from GetUser, once for each token", async () => {
    const seen: string[] = [];
    user = (request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers["x-amz-target"]}`);
      getUser({ sub: "ada", email: "ada@example.com", email_verified: "true" })(request, response);
    };
    const one = adapter();
    const sent = withBearer(accessToken({ scope }));
    const answers = await Promise.all([1, 2, 3].map(() => one.verify(sent)));
    expect(answers).toEqual([ADA, ADA, ADA]);
    expect(await one.verify(sent)).toEqual(ADA);
    expect(seen).toEqual(["POST / AWSCognitoIdentityProviderService.GetUser"]);
  });

  it("gets it from userInfo when the pool's domain is known", async () => {
    const seen: unknown[] = [];
    user = (request, response) => {
      seen.push([request.method, request.url, request.headers.authorization]);
      json({ sub: "ada", email: "ada@example.com", email_verified: "true" })(request, response);
    };
    const sent = accessToken();
    expect(await outcome(sent, { domain: cognito.origin })).toEqual(ADA);
    expect(seen).toEqual([["GET", "/oauth2/userInfo", `Bearer ${sent}`]]);
    expect(await outcome(accessToken(), { domain: `${cognito.origin}/${POOL}/` })).toEqual(ADA);
    expect(seen[1]).toContain(`/${POOL}/oauth2/userInfo`);
  });

  it("is refused when its scopes allow no way to ask", async () => {
    expect(await outcome(accessToken())).toBe("EMAIL_UNAVAILABLE");
    expect(await outcome(accessToken({ scope: "email" }), { domain: cognito.origin })).toBe(
      "EMAIL_UNAVAILABLE",
    );
    expect(await outcome(accessToken({ scope: undefined }))).toBe("EMAIL_UNAVAILABLE");
    expect(await outcome(idToken({ email: undefined }))).toBe("EMAIL_UNAVAILABLE");
    expect(cognito.requests.filter((request) => !request.includes("jwks"))).toEqual([]);
  });

  it.each<readonly [string, RequestListener]>([
    ["another user", getUser({ sub: "eve", email: "eve@example.com" })],
    ["no sub", getUser({ email: "ada@example.com" })],
    ["no email", getUser({ sub: "ada" })],
    ["an empty email", getUser({ sub: "ada", email: "" })],
    [
      "an email that is not verified",
      getUser({ sub: "ada", email: "a@b", email_verified: "false" }),
    ],
    ["a refusal", json({ __type: "NotAuthorizedException" }, 400)],
    ["an outage", json({}, 500)],
    ["too many requests", json({}, 429)],
    ["no JSON", json("<html>")],
    ["null", json("null")],
    ["a list", json("[]")],
    ["odd attributes", json({ UserAttributes: [null, 1, { Name: "sub" }] })],
    ["a redirect", (_request, response) => void response.writeHead(302, { location: "/" }).end()],
    ["a broken connection", (request) => void request.socket.destroy()],
  ])("is refused when the answer is %s", async (_what, answer) => {
    user = answer;
    expect(await outcome(accessToken({ scope }))).toBe("EMAIL_UNAVAILABLE");
    const subInfo = { domain: cognito.origin };
    expect(await outcome(accessToken({ scope: "openid" }), subInfo)).toBe("EMAIL_UNAVAILABLE");
  });

  it("asks again after an outage, and not after a refusal", async () => {
    const one = adapter();
    const sent = withBearer(accessToken({ scope }));
    user = json({}, 500);
    await expect(one.verify(sent)).rejects.toMatchObject({ code: "EMAIL_UNAVAILABLE" });
    user = json({ __type: "TooManyRequestsException" }, 400);
    await expect(one.verify(sent)).rejects.toMatchObject({ code: "EMAIL_UNAVAILABLE" });
    user = getUser({ sub: "ada", email: "ada@example.com" });
    expect(await one.verify(sent)).toEqual(ADA);

    const refused = withBearer(accessToken({ scope }));
    user = json({}, 400);
    await expect(one.verify(refused)).rejects.toMatchObject({ code: "EMAIL_UNAVAILABLE" });
    const before = cognito.requests.length;
    await expect(one.verify(refused)).rejects.toMatchObject({ code: "EMAIL_UNAVAILABLE" });
    expect(cognito.requests.length).toBe(before);
  });
});

describe("the options of a user pool", () => {
  it.each([
    "us-east-1_x/../../evil",
    "@evil.com#",
    "us-east-1_x?y",
    "us-east-1_x#y",
    "us-east-1_",
    "us-east-1",
    "useast1_x",
    "us-east-1_x y",
    "US-EAST-1_x",
    "us-east-1_x\n",
    "evil.com/us-east-1_x",
    `us-east-1_${"x".repeat(100)}`,
    "",
    undefined,
    null,
    7,
  ])("refuse the pool id %j", (userPoolId) => {
    expect(() => AuthAdapter.cognito({ userPoolId: userPoolId as string })).toThrow(TypeError);
  });

  it.each<readonly [string, object]>([
    ["no option clientid", { clientid: "a" }],
    ["clientId is undefined", { clientId: undefined }],
    ["clientId must be", { clientId: [] }],
    ["clientId must be", { clientId: [""] }],
    ["clientId must be", { clientId: ["a", 1] }],
    ["tokenUse must be", { tokenUse: "refresh" }],
    ["domain must begin with https", { domain: "http://a.example" }],
    ["domain is not", { domain: "a.example" }],
    ["must begin with https", { endpoint: "http://a.example" }],
    ["algorithms must be", { algorithms: ["HS256"] }],
    ["algorithms must be", { algorithms: ["none", "RS256"] }],
    ["algorithms must be", { algorithms: [] }],
    ["clockToleranceSeconds must be", { clockToleranceSeconds: 301 }],
    ["clockToleranceSeconds must be", { clockToleranceSeconds: -1 }],
    ["clockToleranceSeconds must be", { clockToleranceSeconds: Number.NaN }],
    ["maxTokenBytes must be", { maxTokenBytes: 16_385 }],
  ])("say that %s", (problem, options) => {
    expect(() => adapter(options as Partial<CognitoOptions>)).toThrow(problem);
  });

  it("take the endpoint from the environment, and never from a token", async () => {
    const name = "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER";
    process.env[name] = cognito.origin;
    try {
      const one = AuthAdapter.cognito({ userPoolId: POOL });
      expect(await one.verify(withBearer(idToken()))).toEqual(ADA);
      const elsewhere = idToken({ iss: `${cognito.origin}/${POOL}` });
      await expect(one.verify(withBearer(elsewhere))).rejects.toMatchObject({ claim: "iss" });
      process.env[name] = "http://a.example";
      expect(() => AuthAdapter.cognito({ userPoolId: POOL })).toThrow(TypeError);
    } finally {
      delete process.env[name];
    }
  });

  it("may allow the issuer's clock to differ", async () => {
    const exp = nowSeconds() - 10;
    expect(await outcome(idToken({ exp }), { clockToleranceSeconds: 60 })).toEqual(ADA);
    const nbf = nowSeconds() + 30;
    expect(await outcome(idToken({ nbf }), { clockToleranceSeconds: 60 })).toEqual(ADA);
    expect(await outcome(idToken({ exp: undefined }), { requireExp: false })).toEqual(ADA);
  });
});
