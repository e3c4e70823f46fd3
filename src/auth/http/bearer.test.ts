import { describe, expect, it } from "vitest";
import { AuthError } from "../auth-error.ts";
import { bearer } from "./bearer.ts";
import type { RequestEvent } from "./request-event.ts";

/** The token, or the code of what is thrown: never anything else. */
function outcome(event: unknown): string {
  try {
    return bearer(event as RequestEvent);
  } catch (error) {
    if (error instanceof AuthError) return error.code;
    throw error;
  }
}

function header(value: unknown): unknown {
  return { headers: { authorization: value } };
}

describe("bearer", () => {
  it.each([
    ["Bearer abc.def-_~+/=", "abc.def-_~+/="],
    ["bearer abc", "abc"],
    ["BEARER abc", "abc"],
  ])("takes the token out of %j", (value, token) => {
    expect(outcome(header(value))).toBe(token);
  });

  it.each([
    undefined,
    null,
    "",
    " ",
    "Bearer",
    "Bearer ",
    "Bearer    ",
    "Bearer\t",
    "Basic dXNlcjpwYXNz",
    "Token x",
    "Bearerx",
    "abc",
    1,
    true,
    ["Bearer x"],
    { value: "Bearer x" },
  ])("finds no token in %j", (value) => {
    expect(outcome(header(value))).toBe("UNAUTHORIZED");
  });

  it.each([
    "Bearer  x",
    "Bearer\tx",
    "Bearer x ",
    "Bearer x y",
    "Bearer a,Bearer b",
    "Bearer a, Bearer b",
    "Bearer a,b",
    "Bearer x\r\nx: y",
    "Bearer \u{1f600}",
    "Bearer x\u00e9",
    "Bearer x\0",
    "Bearer =x",
    `Bearer ${"x".repeat(1_000_000)}`,
  ])("refuses %.40j", (value) => {
    expect(outcome(header(value))).toBe("CREDENTIAL_INVALID");
  });

  it("finds the header whatever the case of its name", () => {
    expect(outcome({ headers: { Authorization: "Bearer x" } })).toBe("x");
    expect(outcome({ headers: { AUTHORIZATION: "Bearer x" } })).toBe("x");
  });

  it("never chooses between two credentials", () => {
    const two = [
      { headers: { Authorization: "Bearer a", authorization: "Bearer b" } },
      { headers: { Authorization: "Bearer a", authorization: "Basic b" } },
      { headers: {}, multiValueHeaders: { Authorization: ["Bearer a", "Bearer b"] } },
      { headers: {}, multiValueHeaders: { Authorization: ["Bearer a", "Bearer a"] } },
      {
        headers: { authorization: "Bearer a" },
        multiValueHeaders: { authorization: ["Bearer b"] },
      },
    ];
    for (const event of two) expect(outcome(event)).toBe("CREDENTIAL_INVALID");
    const same = { headers: { Authorization: "Bearer a", authorization: "Bearer a" } };
    expect(outcome(same)).toBe("a");
  });

  it("reads the events of every gateway", () => {
    const multiValueHeaders = { Authorization: ["Bearer x"] };
    expect(
      outcome({ version: "1.0", headers: { Authorization: "Bearer x" }, multiValueHeaders }),
    ).toBe("x");
    expect(outcome({ requestContext: { elb: {} }, multiValueHeaders })).toBe("x");
    expect(outcome({ requestContext: { eventType: "MESSAGE", connectionId: "c" } })).toBe(
      "UNAUTHORIZED",
    );
  });

  it("throws nothing else for events of no shape at all", () => {
    const events = [
      undefined,
      null,
      0,
      "Bearer x",
      [],
      {},
      { headers: null },
      { headers: [] },
      { headers: ["authorization", "Bearer x"] },
      { headers: "authorization: Bearer x" },
      { headers: { __proto__: { authorization: "Bearer x" } } },
      { multiValueHeaders: { authorization: "Bearer x" } },
      { multiValueHeaders: { authorization: [1, null] } },
      Object.create({ headers: { authorization: "Bearer x" } }),
    ];
    for (const event of events) expect([event, outcome(event)]).toEqual([event, "UNAUTHORIZED"]);
  });
});
