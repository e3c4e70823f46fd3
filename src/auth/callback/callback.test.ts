import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { auth, cookieToken, type HttpResponse, type OAuthOptions, Unauthorized } from "../index.ts";
import { json, TestServer } from "../issuer.fixture.ts";
import { challengeOf } from "./sign-in-state.ts";

interface Exchange {
  readonly headers: IncomingHttpHeaders;
  readonly method: string | undefined;
  readonly body: string;
}

let endpoint: TestServer;
let answer: RequestListener;
const exchanges: Exchange[] = [];
const log: string[] = [];

beforeAll(async () => {
  endpoint = await new TestServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      exchanges.push({ headers: request.headers, method: request.method, body });
      answer(request, response);
    });
  }).listen();
  for (const method of ["warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void log.push(line));
  }
});

beforeEach(() => {
  answer = json({ access_token: "granted", token_type: "Bearer" });
});

afterEach(() => {
  exchanges.length = 0;
  log.length = 0;
});

afterAll(async () => {
  vi.restoreAllMocks();
  await endpoint.close();
});

function plain(): OAuthOptions {
  return {
    tokenUrl: `${endpoint.origin}/token`,
    clientId: "notes",
    clientSecret: "s3cret-of-notes",
  };
}

function started(): OAuthOptions {
  return {
    ...plain(),
    authorizeUrl: "https://issuer.example/authorize?tenant=a",
    redirectUri: "https://notes.example/callback",
  };
}

function withCode(code: unknown, more: object = {}) {
  return { queryStringParameters: { code: code as string, ...more } };
}

function secretsIn(response: unknown): string[] {
  const text = JSON.stringify(response) + log.join();
  return ["s3cret-of-notes", "the-code"].filter((secret) => text.includes(secret));
}

describe("a callback", () => {
  it("exchanges the code with exactly four JSON fields, and sends the browser on", async () => {
    const response = await auth.callback(plain())(withCode("the-code"));
    expect(response).toEqual({
      statusCode: 302,
      body: "",
      headers: {
        Location: "/dashboard?token=granted",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
      },
    });
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]?.method).toBe("POST");
    expect(exchanges[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(exchanges[0]?.body ?? "")).toEqual({
      code: "the-code",
      client_id: "notes",
      client_secret: "s3cret-of-notes",
      grant_type: "authorization_code",
    });
  });

  it("sends a form where the provider takes only that", async () => {
    const redirectUri = "https://notes.example/callback";
    const options = { ...plain(), encoding: "form", redirectUri } as const;
    expect(await auth.callback(options)(withCode("the code&"))).toMatchObject({ statusCode: 302 });
    expect(exchanges[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(exchanges[0]?.body))).toEqual({
      code: "the code&",
      client_id: "notes",
      client_secret: "s3cret-of-notes",
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
    });
  });

  it("percent-encodes the token", async () => {
    answer = json({ access_token: "a&b=c#d/e?f\r\nX: y \u00e9" });
    const response = await auth.callback(plain())(withCode("c"));
    expect(response.headers?.["Location"]).toBe(
      "/dashboard?token=a%26b%3Dc%23d%2Fe%3Ff%0D%0AX%3A%20y%20%C3%A9",
    );
  });

  it("can hand the token over in the fragment, elsewhere, or behind other parameters", async () => {
    const location = async (more: Partial<OAuthOptions>) =>
      (await auth.callback({ ...plain(), ...more })(withCode("c"))).headers?.["Location"];
    expect(await location({ mode: "fragment" })).toBe("/dashboard#token=granted");
    expect(await location({ path: "/app/home" })).toBe("/app/home?token=granted");
    expect(await location({ path: "/?a=1" })).toBe("/?a=1&token=granted");
  });

  it.each([
    ["no event", undefined],
    ["null", null],
    ["an empty event", {}],
    ["parameters that are null", { queryStringParameters: null }],
    ["parameters that are text", { queryStringParameters: "code=x" }],
    ["no code", { queryStringParameters: {} }],
    ["an empty code", withCode("")],
    ["a code that is null", withCode(null)],
    ["a list of codes", withCode(["a", "b"])],
    ["a code that is a number", withCode(7)],
    ["a code that is an object", withCode({ a: 1 })],
    ["an inherited code", { queryStringParameters: Object.create({ code: "x" }) }],
    ["a code of more than 2 KiB", withCode("x".repeat(2049))],
    ["a code with a line break", withCode("a\r\nb")],
    ["a code that is not ASCII", withCode("\u{1f600}")],
    ["an error and no code", { queryStringParameters: { error: "access_denied" } }],
  ])("answers 400 for %s", async (_what, event) => {
    const response = await auth.callback(plain())(event as object);
    expect(response).toMatchObject({ statusCode: 400, body: "Missing code parameter" });
    expect(exchanges).toEqual([]);
  });

  it("reflects nothing of an error that the provider reports", async () => {
    const error_description = "<script>alert(1)</script>";
    for (const error of ["access_denied", "<script>", "a b\nc"]) {
      const response = await auth.callback(plain())(withCode("c", { error, error_description }));
      expect(response).toMatchObject({ statusCode: 400, body: "Sign-in failed" });
    }
    expect(exchanges).toEqual([]);
    expect(log.join()).toContain("access_denied");
    expect(log.join()).not.toContain("script");
  });

  it.each<readonly [string, RequestListener]>([
    ["status 400", json({ error: "invalid_grant the-code" }, 400)],
    ["status 500", json({ access_token: "granted" }, 500)],
    ["status 201", json({ access_token: "granted" }, 201)],
    ["a redirect", (_request, response) => void response.writeHead(307, { location: "/" }).end()],
    ["HTML", json("<html>s3cret-of-notes</html>")],
    ["an empty body", json("")],
    ["null", json("null")],
    ["a list", json("[]")],
    ["no token", json({})],
    ["a token that is a number", json({ access_token: 123 })],
    ["an empty token", json({ access_token: "" })],
    ["more than 64 KiB", json({ access_token: "x".repeat(65_536) })],
    ["a broken connection", (request) => void request.socket.destroy()],
  ])("answers 502 when the token endpoint gives %s, and tells nothing", async (_what, given) => {
    answer = given;
    const response = await auth.callback(plain())(withCode("the-code"));
    expect(response).toMatchObject({ statusCode: 502, body: "Sign-in failed" });
    expect(exchanges).toHaveLength(1);
    expect(log).toHaveLength(1);
    expect(secretsIn(response)).toEqual([]);
  });

  it("answers 502 when nobody listens", async () => {
    const closed = await new TestServer(json({})).listen();
    const tokenUrl = closed.origin;
    await closed.close();
    const response = await auth.callback({ ...plain(), tokenUrl })(withCode("the-code"));
    expect(response).toMatchObject({ statusCode: 502, body: "Sign-in failed" });
    expect(secretsIn(response)).toEqual([]);
  });
});

describe("a token in a cookie", () => {
  const event = { headers: { "x-forwarded-proto": "https" } };

  function read(response: HttpResponse, proto: string): string {
    const cookie = response.cookies?.[0]?.split(";")[0] ?? "";
    return cookieToken({ headers: { "x-forwarded-proto": proto }, cookies: [`a=b; ${cookie}`] });
  }

  it("is out of reach of scripts and of other hosts", async () => {
    answer = json({ access_token: "granted", expires_in: 3600 });
    const callback = auth.callback({ ...plain(), mode: "cookie" });
    const response = await callback({ ...event, ...withCode("c") });
    expect(response.headers?.["Location"]).toBe("/dashboard");
    expect(response.cookies).toEqual([
      "__Host-scrim-token=granted; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=3600",
    ]);
    expect(read(response, "https")).toBe("granted");
  });

  it("works on this machine, without https", async () => {
    const callback = auth.callback({ ...plain(), mode: "cookie" });
    const response = await callback({ headers: { "X-Forwarded-Proto": "http" }, ...withCode("c") });
    expect(response.cookies).toEqual(["scrim-token=granted; Path=/; HttpOnly; SameSite=Lax"]);
    expect(read(response, "http")).toBe("granted");
  });

  it("is not there when another host or an earlier request could have left it", () => {
    const planted = { ...event, cookies: ["scrim-token=x"] };
    expect(() => cookieToken(planted)).toThrow(Unauthorized);
    expect(() => cookieToken({ cookies: ["__Host-scrim-token="] })).toThrow(Unauthorized);
    for (const none of [undefined, null, {}, { cookies: null }, { cookies: [] }]) {
      expect(() => cookieToken(none)).toThrow(Unauthorized);
    }
    const header = { headers: { cookie: "x=1; __Host-scrim-token=abc; y=2" } };
    expect(cookieToken(header)).toBe("abc");
  });

  it("is refused when no cookie can hold it", async () => {
    for (const access_token of ["x".repeat(4000), "a;b", "a\r\nb", "a b"]) {
      answer = json({ access_token });
      const response = await auth.callback({ ...plain(), mode: "cookie" })(withCode("c"));
      expect(response).toMatchObject({ statusCode: 502, body: "Sign-in failed" });
    }
  });
});

describe("a sign-in that auth.redirect starts", () => {
  async function start(options = started()) {
    const response = await auth.redirect(options)({});
    const url = new URL(response.headers?.["Location"] ?? "");
    const cookie = response.cookies?.[0] ?? "";
    return { response, url, cookie, state: url.searchParams.get("state") ?? "" };
  }

  function comeBack(cookie: string, state: string | undefined, code = "the-code") {
    return { cookies: [cookie.split(";")[0] ?? ""], ...withCode(code, { state }) };
  }

  it("goes to the provider with state and PKCE, and leaves a cookie for ten minutes", async () => {
    const { response, url, cookie } = await start();
    expect(response.statusCode).toBe(302);
    expect(`${url.origin}${url.pathname}`).toBe("https://issuer.example/authorize");
    const { state, code_challenge, ...rest } = Object.fromEntries(url.searchParams);
    expect(rest).toEqual({
      tenant: "a",
      response_type: "code",
      client_id: "notes",
      redirect_uri: "https://notes.example/callback",
      scope: "openid email",
      code_challenge_method: "S256",
    });
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(code_challenge).toMatch(/^[\w-]{43}$/);
    expect(cookie).toMatch(
      /^__Host-scrim-sign-in=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
    );
    expect(cookie).not.toContain("s3cret");
    expect((await start()).state).not.toBe(state);
  });

  it("comes back once, with the verifier of its challenge", async () => {
    const { cookie, state, url } = await start();
    const callback = auth.callback(started());
    const response = await callback(comeBack(cookie, state));
    expect(response.headers?.["Location"]).toBe("/dashboard?token=granted");
    expect(response.cookies?.[0]).toContain("__Host-scrim-sign-in=; ");
    expect(response.cookies?.[0]).toContain("Max-Age=0");
    const sent = JSON.parse(exchanges[0]?.body ?? "");
    expect(Object.keys(sent).sort()).toEqual(
      ["client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri"].sort(),
    );
    expect(challengeOf(sent.code_verifier)).toBe(url.searchParams.get("code_challenge"));
    const again = await callback(comeBack(cookie, state));
    expect(again).toMatchObject({ statusCode: 400, body: "Sign-in failed" });
    expect(exchanges).toHaveLength(1);
  });

  it("fails without its cookie, its state or its secret, and asks nobody", async () => {
    const { cookie, state } = await start();
    const other = await start();
    const [name, value = ""] = (cookie.split(";")[0] ?? "").split("=");
    const [text = "", mac = ""] = value.split(".");
    const changed = Buffer.from(text, "base64url").toString().replace('"state":"', '"state":"x');
    const forged = `${name}=${Buffer.from(changed).toString("base64url")}.${mac}`;
    const callback = auth.callback(started());
    const events = [
      withCode("c", { state }),
      comeBack(cookie, undefined),
      comeBack(cookie, ""),
      comeBack(cookie, `${state}x`),
      comeBack(cookie, other.state),
      comeBack(other.cookie, state),
      comeBack(forged, `x${state}`),
      comeBack(`${name}=${text}`, state),
      comeBack(`${name}=${text}.`, state),
      comeBack(`${name}=.${mac}`, state),
      comeBack(`${name}=e30.${mac}`, state),
      comeBack(`${name}=%`, state),
    ];
    for (const event of events) {
      const response = await callback(event);
      expect(response).toMatchObject({ statusCode: 400, body: "Sign-in failed" });
    }
    const elsewhere = auth.callback({ ...started(), clientSecret: "another" });
    expect(await elsewhere(comeBack(cookie, state))).toMatchObject({ statusCode: 400 });
    expect(exchanges).toEqual([]);
    expect(await callback(comeBack(cookie, state))).toMatchObject({ statusCode: 302 });
  });

  it("is over after ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { cookie, state } = await start();
      vi.setSystemTime(Date.now() + 600_000);
      const response = await auth.callback(started())(comeBack(cookie, state));
      expect(response).toMatchObject({ statusCode: 400, body: "Sign-in failed" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("counts too when only auth.redirect was told the sign-in page", async () => {
    const { cookie, state } = await start();
    const callback = auth.callback(plain());
    expect(await callback(comeBack(cookie, `${state}x`))).toMatchObject({ statusCode: 400 });
    expect(await callback(comeBack(cookie, state))).toMatchObject({ statusCode: 302 });
  });
});

describe("the options of a sign-in", () => {
  it.each<readonly [string, object]>([
    ["tokenUrl must begin with https", { tokenUrl: "http://issuer.example/token" }],
    ["tokenUrl is undefined", { tokenUrl: undefined }],
    ["clientSecret must be", { clientSecret: "" }],
    ["clientId must be", { clientId: "" }],
    ["encoding must be one of json, form", { encoding: "xml" }],
    ['encoding "form" needs redirectUri', { encoding: "form" }],
    ["mode must be one of", { mode: "header" }],
    ["no option redirectURI", { redirectURI: "https://a.example" }],
    ["authorizeUrl must begin with https", { authorizeUrl: "http://a.example" }],
    ["redirectUri must begin with https", { redirectUri: "http://a.example" }],
    ...[
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "dashboard",
      "",
      "/a\r\nb",
      "/a b",
      "/a#b",
      "/a\\b",
      7,
    ].map((path) => ["path must be a path of this host", { path }] as const),
  ])("say that %s", (problem, change) => {
    const options = { ...plain(), ...change } as OAuthOptions;
    expect(() => auth.callback(options)).toThrow(problem);
  });

  it("need two addresses to start one", () => {
    expect(() => auth.redirect(plain())).toThrow("needs authorizeUrl and redirectUri");
    expect(() => auth.callback(undefined as never)).toThrow(TypeError);
  });
});
