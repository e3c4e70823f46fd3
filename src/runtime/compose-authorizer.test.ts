import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InvalidToken, JwksUnavailable, TokenExpired, Unauthorized } from "../auth/auth-error.ts";
import { auth } from "../auth/index.ts";
import { composeAuthorizer } from "./compose-authorizer.ts";

const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJl";

/** As a gateway sends it, through JSON, with what an attacker might have got into it. */
const event = (): Record<string, unknown> =>
  JSON.parse(`{
    "headers": { "authorization": "Bearer ${TOKEN}" },
    "requestContext": {
      "http": { "method": "GET" },
      "authorizer": { "userId": "evil", "lambda": { "userId": "evil" } },
      "__proto__": { "authorizer": { "userId": "evil" } }
    },
    "__proto__": { "requestContext": { "authorizer": { "userId": "evil" } } }
  }`);

const context = { awsRequestId: "r1", getRemainingTimeInMillis: () => 20_000 };
const seen = vi.fn(async (_event: unknown) => ({ statusCode: 200, body: "in" }));
const lines: string[] = [];

beforeEach(() => {
  seen.mockClear();
  lines.length = 0;
  const keep = (line: unknown) => void lines.push(String(line));
  vi.spyOn(console, "warn").mockImplementation(keep);
  vi.spyOn(console, "error").mockImplementation(keep);
});
afterEach(() => vi.restoreAllMocks());

const refusal = (body: string) => ({
  statusCode: 401,
  body,
  cookies: [],
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
});

/** The authorizer's place taken by another's copy of scrim/auth: the same members, another class. */
class ForeignError extends Error {
  readonly statusCode = 401;
  readonly code: string;
  readonly body: string;

  constructor(code: string, body: string) {
    super(`foreign ${code}`);
    this.code = code;
    this.body = body;
  }
}

const throwing = (error: unknown) => async () => {
  throw error;
};

describe("a composed authorizer lets nobody in who is not named", () => {
  it.each<[what: string, authorizer: unknown]>([
    ["null", async () => null],
    ["nothing", async () => undefined],
    ["an empty object", async () => ({})],
    ["true", async () => true],
    ["a list", async () => [{ id: "u1" }]],
    ["a status alone", async () => ({ statusCode: 200 })],
    ["the answer of a gateway's authorizer", async () => ({ isAuthorized: true })],
    ["a user that is null", async () => ({ user: null })],
    ["a user that is text", async () => ({ user: "u1" })],
    ["a user without id", async () => ({ user: { email: "ada@example.com" } })],
    ["a user with an empty id", async () => ({ user: { id: "" } })],
    ["a user with a number for an id", async () => ({ user: { id: 1 } })],
    ["a user that inherits its id", async () => ({ user: Object.create({ id: "u1" }) })],
    ["an inherited user", async () => Object.create({ user: { id: "u1" } })],
    ["a user with a redirect", async () => ({ statusCode: 302, user: { id: "u1" } })],
    ["a user with a status of 199", async () => ({ statusCode: 199, user: { id: "u1" } })],
    ["a user with a status that is text", async () => ({ statusCode: "200", user: { id: "u1" } })],
    ["a rejected promise", () => Promise.reject(new Error("no database"))],
    ["a throw", throwing(new Error("no database"))],
    ["a thrown null", throwing(null)],
    [
      "a callback",
      (_: unknown, __: unknown, done: (e: null, r: unknown) => void) => done(null, {}),
    ],
    ["no function", { user: { id: "u1" } }],
    ["a missing export", undefined],
  ])("%s", async (_, authorizer) => {
    const answer = await composeAuthorizer(authorizer, seen)(event(), context);
    expect(answer).toEqual(refusal("Unauthorized"));
    expect(seen).not.toHaveBeenCalled();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^scrim\/auth: Request refused: \S/);
    expect(lines[0]).not.toContain("eyJ");
  });

  it("one that never answers is given up before the function's own time is over", async () => {
    const near = { ...context, getRemainingTimeInMillis: () => 550 };
    const never = () => new Promise(() => undefined);
    const answer = await composeAuthorizer(never, seen)(event(), near);
    expect(answer).toEqual(refusal("Unauthorized"));
    expect(lines[0]).toContain("did not answer within 50 ms");
    expect(seen).not.toHaveBeenCalled();
  });

  it.each([null, undefined, "text", 7, [], {}])("whatever the event is: %j", async (odd) => {
    const authorizer = auth.authorizer(() => {
      throw new Unauthorized();
    });
    expect(await composeAuthorizer(authorizer, seen)(odd, context)).toEqual(
      refusal("Unauthorized"),
    );
    expect(await composeAuthorizer(authorizer, seen)(odd, undefined)).toEqual(
      refusal("Unauthorized"),
    );
  });

  it("one that ends the invocation through its context finds no way to", async () => {
    const succeed = vi.fn();
    const tries = async (_: unknown, given: { succeed(answer: unknown): void }) =>
      given.succeed({ statusCode: 200 });
    const answer = await composeAuthorizer(tries, seen)(event(), { ...context, succeed });
    expect(answer).toEqual(refusal("Unauthorized"));
    expect(succeed).not.toHaveBeenCalled();
  });
});

describe("the words of a refusal", () => {
  it.each([
    [new Unauthorized(), "Unauthorized"],
    [new InvalidToken("SIGNATURE_INVALID", "no"), "Invalid token"],
    [new JwksUnavailable("no"), "Invalid token"],
    [new TokenExpired(), "Token expired"],
    [new ForeignError("UNAUTHORIZED", "Unauthorized"), "Unauthorized"],
    [new ForeignError("CLAIM_INVALID", "Invalid token"), "Invalid token"],
    [new ForeignError("JWKS_UNAVAILABLE", "Invalid token"), "Invalid token"],
    [new ForeignError("TOKEN_EXPIRED", "Token expired"), "Token expired"],
    [new ForeignError("X", "<script>"), "Unauthorized"],
  ])("%s is told as %s", async (error, body) => {
    const bare = await composeAuthorizer(throwing(error), seen)(event(), context);
    expect(bare).toEqual(refusal(body));
  });

  it("are the same behind auth.authorizer", async () => {
    const wrapped = auth.authorizer(throwing(new TokenExpired()));
    const answer = await composeAuthorizer(wrapped, seen)(event(), context);
    expect(answer).toEqual(refusal("Token expired"));
  });

  it("pass as they are where the authorizer returns them", async () => {
    const body = '{"reason":"not yours"}';
    const headers = {
      "content-type": "application/json",
      "cache-control": "private",
      "X-Why": "rules",
    };
    const returned = { statusCode: 403, body, headers, cookies: ["a=b"], user: { id: "u1" } };
    const answer = await composeAuthorizer(async () => returned, seen)(event(), context);
    expect(answer).toEqual({ statusCode: 403, body, headers, cookies: ["a=b"] });
    expect(seen).not.toHaveBeenCalled();
  });

  it("pass without what no gateway can send, so that a refusal is never a failure", async () => {
    const big: unknown = 1n;
    const headers = { "bad name": "x", "x-break": "a\r\nb", "x-big": big, "x-n": 7, "x-ok": "ok" };
    const returned = {
      statusCode: 429,
      body: { a: big },
      headers,
      cookies: [big, "a=b"],
      extra: big,
    };
    const answer = await composeAuthorizer(async () => returned, seen)(event(), context);
    expect(JSON.parse(JSON.stringify(answer))).toEqual({
      statusCode: 429,
      body: "",
      cookies: ["a=b"],
      headers: { ...refusal("").headers, "x-n": "7", "x-ok": "ok" },
    });
  });
});

describe("the handler behind an authorizer", () => {
  it("reads userId and email, and nothing that the client put there", async () => {
    const ada = async () => ({ user: { id: "u1", email: "ada@example.com", role: "admin" } });
    expect(await composeAuthorizer(ada, seen)(event(), context)).toEqual({
      statusCode: 200,
      body: "in",
    });
    const given = seen.mock.calls[0]?.[0] as { requestContext: Record<string, unknown> };
    expect(given.requestContext["authorizer"]).toEqual({ userId: "u1", email: "ada@example.com" });
    expect(given.requestContext["http"]).toEqual({ method: "GET" });
    expect(Object.getPrototypeOf(given.requestContext)).toBe(Object.prototype);
  });

  it("reads no email where the user has none", async () => {
    for (const user of [{ id: "u1" }, { id: "u1", email: 7 }]) {
      await composeAuthorizer(async () => ({ statusCode: 204, user }), seen)(event(), context);
      const given = seen.mock.lastCall?.[0] as { requestContext: Record<string, unknown> };
      expect(given.requestContext["authorizer"]).toEqual({ userId: "u1" });
    }
  });

  it("gets the event as it came, whatever the authorizer did to its own", async () => {
    const meddling = async (own: { headers: Record<string, string>; requestContext?: unknown }) => {
      own.headers["authorization"] = "changed";
      delete own.requestContext;
      return { user: { id: "u1" } };
    };
    await composeAuthorizer(meddling, seen)(event(), context);
    const given = seen.mock.lastCall?.[0] as Record<string, unknown>;
    expect({ ...given, requestContext: null }).toEqual({ ...event(), requestContext: null });
  });

  it("gets its context, may call back, and fails by itself", async () => {
    const ada = async () => ({ user: { id: "u1" } });
    const calling = (
      _: unknown,
      given: object,
      callback: (error: unknown, r?: unknown) => void,
    ) => {
      setImmediate(() => callback(null, given === context));
      return { not: "the answer" };
    };
    expect(await composeAuthorizer(ada, calling)(event(), context)).toBe(true);
    const failing = (_: unknown, __: unknown, callback: (error: unknown) => void) =>
      callback(new Error("broken"));
    await expect(composeAuthorizer(ada, failing)(event(), context)).rejects.toThrow("broken");
    const throws = () => {
      throw new Error("broken");
    };
    await expect(composeAuthorizer(ada, throws)(event(), context)).rejects.toThrow("broken");
    expect(await composeAuthorizer(ada, () => "plain")(event(), context)).toBe("plain");
    expect(() => composeAuthorizer(ada, undefined)).toThrow("is not a function");
  });
});
