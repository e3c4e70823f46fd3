import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { authorize } from "./authorize.ts";
import { auth, bearer, InvalidToken, TokenExpired, Unauthorized } from "./index.ts";
import { claims, KEYS, token, withBearer } from "./issuer.fixture.ts";

const log: string[] = [];

beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation((line: string) => void log.push(line));
});

afterEach(() => {
  log.length = 0;
});

afterAll(() => {
  vi.restoreAllMocks();
});

function answering(answer: unknown) {
  return auth.authorizer((() => answer) as () => null);
}

describe("an authorizer", () => {
  it("lets in a user, with id and email and nothing else", async () => {
    const user = { id: "ada", email: "ada@example.com", admin: true, __proto__: { role: "root" } };
    const allowed = { statusCode: 200, user: { id: "ada", email: "ada@example.com" } };
    expect(await answering({ user })({})).toEqual(allowed);
    expect(await answering({ statusCode: 200, user })({})).toEqual(allowed);
    expect(await answering(Promise.resolve({ statusCode: 204, user }))({})).toEqual({
      ...allowed,
      statusCode: 204,
    });
    expect(Object.keys((await answering({ user })({})) as object)).toEqual(["statusCode", "user"]);
    expect(await answering({ user: { id: "ada" } })({})).toEqual({
      statusCode: 200,
      user: { id: "ada" },
    });
    expect(log).toEqual([]);
  });

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["true", true],
    ["text", "ada"],
    ["a list", [{ user: { id: "ada" } }]],
    ["an empty object", {}],
    ["a status alone", { statusCode: 200 }],
    ["no user", { statusCode: 200, user: null }],
    ["a user that is text", { user: "ada" }],
    ["a user without id", { user: { email: "ada@example.com" } }],
    ["an empty id", { user: { id: "" } }],
    ["an id that is a number", { user: { id: 1 } }],
    ["an id that is an object", { user: { id: {} } }],
    ["an inherited id", { user: Object.create({ id: "ada" }) }],
    ["an inherited user", Object.create({ user: { id: "ada" } })],
    ["a redirect", { statusCode: 302, user: { id: "ada" } }],
    ["status 0", { statusCode: 0, user: { id: "ada" } }],
    ["status 600", { statusCode: 600, body: "no", user: { id: "ada" } }],
    ["a status that is text", { statusCode: "200", user: { id: "ada" } }],
    ["a status that is NaN", { statusCode: Number.NaN, user: { id: "ada" } }],
    ["the answer of a gateway's authorizer", { isAuthorized: true, context: { userId: "ada" } }],
  ])("denies %s, and says why", async (_what, answer) => {
    expect(await answering(answer)({})).toEqual({ statusCode: 401, body: "Unauthorized" });
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(/^scrim\/auth: Request refused: ./);
  });

  it.each([
    [new Error("no")],
    [new TypeError("x is not a function")],
    ["text"],
    [undefined],
    [null],
    [{ statusCode: 200, user: { id: "ada" } }],
  ])("denies when %o is thrown", async (thrown) => {
    const authorizer = auth.authorizer(() => {
      throw thrown;
    });
    expect(await authorizer({})).toEqual({ statusCode: 401, body: "Unauthorized" });
    expect(log).toHaveLength(1);
  });

  it("answers what auth errors say", async () => {
    for (const [error, body] of [
      [new Unauthorized(), "Unauthorized"],
      [new InvalidToken("SIGNATURE_INVALID", "no"), "Invalid token"],
      [new TokenExpired(), "Token expired"],
    ] as const) {
      const answer = await answering(Promise.reject(error))({});
      expect(answer).toEqual({ statusCode: 401, body });
    }
    expect(log.join("\n")).toContain("The token has expired (TOKEN_EXPIRED, claim exp)");
  });

  it("passes a refusal on as it is", async () => {
    const refusal = { statusCode: 403, body: '{"why":"no"}', headers: { "X-Why": "no" } };
    expect(await answering(refusal)({})).toEqual(refusal);
    expect(await answering({ ...refusal, user: { id: "ada" } })({})).toEqual(refusal);
    expect(await answering({ statusCode: 503 })({})).toEqual({ statusCode: 503, body: "" });
    const object = { statusCode: 403, body: { why: "no" } };
    expect(await answering(object)({})).toEqual({ statusCode: 403, body: '{"why":"no"}' });
    const circular: Record<string, unknown> = { statusCode: 403 };
    circular["body"] = circular;
    expect(await answering(circular)({})).toEqual({ statusCode: 403, body: "" });
  });

  it("denies when the answer does not come in time", async () => {
    const never = () => new Promise<never>(() => undefined);
    const context = { getRemainingTimeInMillis: () => 520 };
    expect(await authorize(never, {}, context)).toEqual({ statusCode: 401, body: "Unauthorized" });
    expect(log.join()).toContain("did not answer within 20 ms");
  });

  it("waits five seconds and no longer when the function has more time", async () => {
    vi.useFakeTimers();
    try {
      const never = auth.authorizer(() => new Promise<never>(() => undefined));
      const contexts = [
        undefined,
        {},
        { getRemainingTimeInMillis: () => 900_000 },
        { getRemainingTimeInMillis: () => Number.NaN },
        { getRemainingTimeInMillis: "soon" },
      ];
      for (const context of contexts) {
        const answer = never({}, context);
        const early = await Promise.race([answer, vi.advanceTimersByTimeAsync(4_999)]);
        expect(early).not.toHaveProperty("statusCode");
        await vi.advanceTimersByTimeAsync(1);
        expect(await answer).toEqual({ statusCode: 401, body: "Unauthorized" });
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not ask for a token before the function does", async () => {
    const byCookie = auth.authorizer((event) => ({ user: { id: event.cookies?.[0] ?? "" } }));
    expect(await byCookie({ cookies: ["ada"] })).toMatchObject({ user: { id: "ada" } });
  });

  it("can be authorized again without a change", async () => {
    const allowed = answering({ user: { id: "ada", email: "a@example.com" } });
    expect(await authorize(allowed, {})).toEqual(await allowed({}));
    const denied = answering(null);
    expect(await authorize(denied, {})).toEqual({ statusCode: 401, body: "Unauthorized" });
  });

  it("keeps credentials out of the log, whatever is thrown", async () => {
    const sent = token(KEYS[1], claims());
    const other = token(KEYS[1], claims({ sub: "eve" }));
    const leaky = auth.authorizer((event) => {
      throw new Error(`bad ${bearer(event)} and ${other} of ${JSON.stringify(event)}`);
    });
    await leaky({ ...withBearer(sent), cookies: [] });
    await auth.authorizer(() => {
      throw new Error("opaque-credential-1 refused");
    })(withBearer("opaque-credential-1"));
    const text = log.join("\n");
    expect(log).toHaveLength(2);
    for (const part of [...sent.split("."), ...other.split("."), "opaque-credential-1"]) {
      expect(text).not.toContain(part);
    }
    expect(text).toContain("[left out] refused");
  });

  it("denies whatever is thrown, also what cannot be told of", async () => {
    const odd = (members: object) => Object.assign(new Error("odd"), members);
    const unreadable = new Error("odd");
    Object.defineProperty(unreadable, "stack", {
      get: () => {
        throw new Error("no stack");
      },
    });
    const coded = Object.assign(new InvalidToken("CLAIM_INVALID", "odd"), { code: Symbol("odd") });
    const closed = new Proxy(new Error("odd"), {
      get: () => {
        throw new Error("no members");
      },
      getPrototypeOf: () => {
        throw new Error("no prototype");
      },
    });
    const all = [odd({ stack: [] }), odd({ stack: 7 }), unreadable, coded, closed, Symbol("x")];
    for (const thrown of all) {
      const answer = await auth.authorizer(() => {
        throw thrown;
      })({});
      expect(answer).toMatchObject({ statusCode: 401 });
    }
    expect(log).toHaveLength(all.length);
  });

  it("logs long texts in time that grows with them only", async () => {
    const long = "a".repeat(5_000_000);
    const startedMs = performance.now();
    await auth.authorizer(() => {
      throw new Error(long);
    })({});
    // By the square of its length it would take hours.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it("is made of a function only", () => {
    expect(() => auth.authorizer(undefined as never)).toThrow(TypeError);
    expect(() => auth.handler({} as never)).toThrow(TypeError);
  });
});

describe("a handler", () => {
  it("answers auth errors with their text", async () => {
    for (const [error, body] of [
      [new Unauthorized(), "Unauthorized"],
      [new InvalidToken("SIGNATURE_INVALID", "no"), "Invalid token"],
      [new TokenExpired(), "Token expired"],
    ] as const) {
      const handler = auth.handler(() => Promise.reject(error));
      const answer = await handler({}, {});
      expect(answer).toMatchObject({ statusCode: 401, body });
      expect(answer).toHaveProperty(["headers", "Content-Type"], "text/plain; charset=utf-8");
    }
  });

  it("knows the auth errors of another copy of this library", async () => {
    vi.resetModules();
    const other = await import("./index.ts");
    expect(other.TokenExpired).not.toBe(TokenExpired);
    for (const [thrown, body] of [
      [new other.Unauthorized(), "Unauthorized"],
      [new other.InvalidToken("CLAIM_INVALID", "aud is another", "aud"), "Invalid token"],
      [new other.TokenExpired(), "Token expired"],
    ] as const) {
      const throwing = () => {
        throw thrown;
      };
      const refusal = { statusCode: 401, body };
      expect(await auth.handler(throwing)({}, {})).toMatchObject(refusal);
      expect(await auth.authorizer(throwing)({})).toEqual(refusal);
    }
  });

  it("passes everything else", async () => {
    const handler = auth.handler((event: { n: number }, context: { m: number }) => ({
      statusCode: 200,
      body: String(event.n + context.m),
    }));
    expect(await handler({ n: 1 }, { m: 2 })).toEqual({ statusCode: 200, body: "3" });
    const failing = auth.handler(() => Promise.reject(new RangeError("a bug")));
    await expect(failing({}, {})).rejects.toThrow(RangeError);
  });
});

it("offers the headers that keep a page to its origin", () => {
  expect(auth.securityHeaders).toEqual({
    "Content-Security-Policy": "default-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  });
});
