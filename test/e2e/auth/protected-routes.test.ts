import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../../support/project.ts";
import { authApp } from "./auth-app.ts";
import { startTestIssuer, type TestIssuer } from "./test-issuer.ts";

let issuer: TestIssuer;
let project: Project;
let url: string;

beforeAll(async () => {
  issuer = await startTestIssuer();
  project = makeProject(authApp(issuer.url));
  const deployed = await project.scrim(["deploy", "--stage", "dev", "--json"]);
  expect(deployed).toMatchObject({ exit: 0 });
  url = JSON.parse(deployed.stdout).outputs.url;
});

afterAll(async () => {
  await project?.dispose();
  issuer?.close();
});

/** Status, type and body; everything that the contract says of an answer. */
async function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(new URL(path, url), { headers, redirect: "manual" });
  const type = response.headers.get("content-type")?.split(";")[0];
  return [response.status, type, await response.text()] as const;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const refused = (body: string) => [401, "text/plain", body];
const expired = () => ({ exp: Math.floor(Date.now() / 1000) - 10 });

describe.each(["/me", "/plain", "/by-hand"])("the three refusals at %s", (path) => {
  it("no token is Unauthorized", async () => {
    expect(await ask(path)).toEqual(refused("Unauthorized"));
    expect(await ask(path, { authorization: "Token x" })).toEqual(refused("Unauthorized"));
  });

  it("a token of somebody else's is an Invalid token, also an expired one", async () => {
    expect(await ask(path, bearer("a.b.c"))).toEqual(refused("Invalid token"));
    expect(await ask(path, bearer(await issuer.forge()))).toEqual(refused("Invalid token"));
    const forged = await issuer.forge(expired());
    expect(await ask(path, bearer(forged))).toEqual(refused("Invalid token"));
    const elsewhere = await issuer.sign({ aud: "other" });
    expect(await ask(path, bearer(elsewhere))).toEqual(refused("Invalid token"));
  });

  it("an expired token is a Token expired", async () => {
    const token = await issuer.sign(expired());
    expect(await ask(path, bearer(token))).toEqual(refused("Token expired"));
  });
});

describe("a protected route", () => {
  it("tells its handler who it is, with the links and environment of both", async () => {
    const [status, , body] = await ask("/me", bearer(await issuer.sign()));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      authorizer: { userId: "u1", email: "ada@example.com" },
      method: "GET",
      bearer: true,
      words: "Hello!",
      audience: "notes",
    });
  });

  it("serves a handler that calls back", async () => {
    const answer = await ask("/called-back", bearer(await issuer.sign()));
    expect(answer).toEqual([200, "text/plain", "ada@example.com"]);
  });

  it("gives nothing for what only looks like an authorization", async () => {
    const lookAlike = { requestContext: { authorizer: { userId: "evil" } } };
    const headers = {
      "content-type": "application/json",
      "x-user-id": "evil",
      "requestcontext.authorizer.userid": "evil",
      "x-amzn-request-context": JSON.stringify(lookAlike.requestContext),
    };
    const body = JSON.stringify(lookAlike);
    const post = { method: "POST", headers, body };
    const without = await fetch(new URL("/me?userId=evil", url), post);
    expect([without.status, await without.text()]).toEqual([401, "Unauthorized"]);
    const own = { ...headers, ...bearer(await issuer.sign()) };
    const allowed = await fetch(new URL("/me?userId=evil", url), { ...post, headers: own });
    expect(await allowed.json()).toMatchObject({
      authorizer: { userId: "u1", email: "ada@example.com" },
    });
    const open = await fetch(new URL("/public", url), post);
    expect(await open.json()).toEqual({ authorizer: null });
  });
});

describe("an authorizer that does not name a user", () => {
  it.each([
    ...["null", "empty", "status-only", "no-id", "empty-id", "number-id", "inherited"],
    ...["redirect", "rejected", "thrown", "succeed"],
  ])("lets nobody in: %s", async (odd) => {
    expect(await ask("/odd", { "x-odd": odd })).toEqual(refused("Unauthorized"));
  });

  it("may refuse in words of its own, which pass as they are", async () => {
    const headers = { "x-odd": "forbidden", origin: "https://app.example" };
    const response = await fetch(new URL("/odd", url), { headers });
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('{"reason":"not yours"}');
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-why")).toBe("rules");
  });

  it("is no failure where its refusal has a header that cannot be sent", async () => {
    expect(await ask("/odd", { "x-odd": "bad-header" })).toEqual([403, "text/plain", "no"]);
  });

  it("leaves a line in the log that says why, without the token", async () => {
    const { stdout } = await project.scrim(["logs", "--stage", "dev"]);
    expect(stdout).toContain("the authorizer returned no user (it returned null)");
    expect(stdout).toContain("no database [left out]");
    expect(stdout).toContain("TOKEN_EXPIRED");
    expect(stdout).not.toMatch(/eyJ/);
  });
});

describe("the callback of a sign-in", () => {
  it("without a code is 400 Missing code parameter", async () => {
    expect(await ask("/callback")).toEqual([400, "text/plain", "Missing code parameter"]);
    expect(await ask("/callback?code=")).toEqual([400, "text/plain", "Missing code parameter"]);
  });

  it("sends exactly four fields of JSON and goes on with the token percent-encoded", async () => {
    issuer.accessToken = "a+b/c=&d e";
    const response = await fetch(new URL("/callback?code=c0de", url), { redirect: "manual" });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("/dashboard?token=a%2Bb%2Fc%3D%26d%20e");
    const [exchange] = issuer.exchanges;
    expect(exchange?.contentType).toBe("application/json");
    expect(JSON.parse(exchange?.body ?? "")).toEqual({
      code: "c0de",
      client_id: "notes",
      client_secret: "s3cret",
      grant_type: "authorization_code",
    });
  });
});

describe("a browser's requests", () => {
  const origin = "https://app.example";

  it("get their preflight answered before any authorizer runs", async () => {
    const before = await linesOf("Api/GET /me");
    const response = await fetch(new URL("/me", url), {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-headers")).toBe("*");
    expect(await linesOf("Api/GET /me")).toBe(before);
  });

  it("may read refusals, which have the CORS headers of the API", async () => {
    for (const headers of [{}, bearer("a.b.c"), { "x-odd": "forbidden" }]) {
      const path = "x-odd" in headers ? "/odd" : "/me";
      const response = await fetch(new URL(path, url), { headers: { origin, ...headers } });
      expect(response.status).toBe("x-odd" in headers ? 403 : 401);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toBe("x-why");
    }
  });

  async function linesOf(name: string): Promise<number> {
    const { stdout } = await project.scrim(["logs", "--stage", "dev", "--function", name]);
    return stdout.split("\n").length;
  }
});
