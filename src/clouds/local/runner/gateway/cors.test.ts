import { describe, expect, it } from "vitest";
import type { CorsSpec } from "../../../../components/node.ts";
import { isPreflight, preflightAnswer, withCors } from "./cors.ts";

const spec = (more: Partial<CorsSpec> = {}): CorsSpec => ({
  allowOrigins: ["https://app.example"],
  allowMethods: ["GET", "POST"],
  allowHeaders: ["authorization"],
  exposeHeaders: ["x-total"],
  allowCredentials: false,
  maxAge: 600,
  ...more,
});

describe("CORS", () => {
  it("takes only an OPTIONS request with an origin and a method for a preflight", () => {
    const asked = { origin: "https://app.example", "access-control-request-method": "GET" };
    expect(isPreflight("OPTIONS", asked)).toBe(true);
    expect(isPreflight("GET", asked)).toBe(false);
    expect(isPreflight("OPTIONS", { origin: "https://app.example" })).toBe(false);
  });

  it("answers a preflight of an allowed origin with everything that is configured", () => {
    expect(preflightAnswer(spec(), "http-api", "https://app.example")).toEqual({
      status: 204,
      headers: [
        ["access-control-allow-origin", "https://app.example"],
        ["vary", "Origin"],
        ["access-control-allow-methods", "GET,POST"],
        ["access-control-allow-headers", "authorization"],
        ["access-control-max-age", "600"],
      ],
      body: "",
    });
    expect(preflightAnswer(spec(), "function-url", "https://app.example").status).toBe(200);
  });

  it.each(["https://evil.example", "null", "http://app.example", "https://app.example.evil"])(
    "tells %s nothing",
    (origin) => {
      expect(preflightAnswer(spec(), "http-api", origin).headers).toEqual([]);
      const answer = { status: 200, headers: [], body: "x" };
      expect(withCors(answer, spec(), origin).headers).toEqual([]);
    },
  );

  it("replaces the headers of the handler", () => {
    const answer = {
      status: 200,
      headers: [
        ["Access-Control-Allow-Origin", "*"],
        ["x-total", "3"],
      ] as const,
      body: "x",
    };
    expect(
      withCors(answer, spec({ allowCredentials: true }), "https://app.example").headers,
    ).toEqual([
      ["x-total", "3"],
      ["access-control-allow-origin", "https://app.example"],
      ["vary", "Origin"],
      ["access-control-allow-credentials", "true"],
      ["access-control-expose-headers", "x-total"],
    ]);
  });

  it("allows every origin with a star, and every origin of a scheme with one after it", () => {
    const answer = { status: 200, headers: [], body: "" };
    const originOf = (allowOrigins: readonly string[], origin: string) =>
      withCors(answer, spec({ allowOrigins }), origin).headers[0]?.[1];
    expect(originOf(["*"], "http://a")).toBe("*");
    expect(originOf(["https://*"], "https://a.b")).toBe("https://a.b");
    expect(originOf(["https://*"], "http://a.b")).toBeUndefined();
  });
});
