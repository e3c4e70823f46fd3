import { describe, expect, it } from "vitest";
import { mapFunctionResponse } from "./function-response.ts";

const json = ["content-type", "application/json"] as const;
const plain = ["content-type", "text/plain; charset=utf-8"] as const;

function answer(value: unknown, kind: "http-api" | "function-url" = "http-api"): unknown {
  const mapped = mapFunctionResponse(JSON.stringify(value), kind);
  return mapped.kind === "answer" ? mapped.answer : mapped;
}

describe("the response of a function", () => {
  it.each([
    [{ hello: "world" }, '{"hello":"world"}'],
    [[1, 2], "[1,2]"],
    [42, "42"],
    [null, "null"],
    ["text", "text"],
  ])("that has no statusCode is the body of a 200 in JSON: %j", (value, body) => {
    expect(answer(value)).toEqual({ status: 200, headers: [json], body });
  });

  it("that is a string keeps its quotes in a function URL", () => {
    expect(answer("text", "function-url")).toEqual({
      status: 200,
      headers: [json],
      body: '"text"',
    });
  });

  it("may leave out everything but the status", () => {
    expect(answer({ statusCode: 204 })).toEqual({ status: 204, headers: [plain], body: "" });
    expect(answer({ statusCode: "201", headers: null, body: null })).toMatchObject({ status: 201 });
    expect(answer({ statusCode: 200 }, "function-url")).toMatchObject({ headers: [json] });
  });

  it("sets every cookie, and headers of any scalar type", () => {
    const value = {
      statusCode: 200,
      headers: { "X-Count": 3, "x-on": true, "Set-Cookie": "a=1" },
      cookies: ["b=2", "c=3"],
    };
    expect(answer(value)).toMatchObject({
      headers: [
        ["X-Count", "3"],
        ["x-on", "true"],
        ["Set-Cookie", "a=1"],
        plain,
        ["set-cookie", "b=2"],
        ["set-cookie", "c=3"],
      ],
    });
  });

  it("decodes a body in base64", () => {
    const value = { statusCode: 200, isBase64Encoded: true, body: "AP8=" };
    expect(answer(value)).toMatchObject({ body: Buffer.from([0, 255]) });
  });

  it("has no say on the connection, and one content type however it is written", () => {
    const headers = {
      Connection: "close",
      "Content-Length": "1",
      "transfer-encoding": "chunked",
      "content-type": "text/html",
      "Content-Type": "text/css",
    };
    expect(answer({ statusCode: 200, headers })).toMatchObject({
      headers: [["Content-Type", "text/css"]],
    });
  });

  it.each([
    [{ statusCode: 200.5 }, "statusCode"],
    [{ statusCode: 0 }, "statusCode"],
    [{ statusCode: 101 }, "statusCode"],
    [{ statusCode: "abc" }, "statusCode"],
    [{ statusCode: null }, "statusCode"],
    [{ statusCode: 200, body: { a: 1 } }, "use JSON.stringify"],
    [{ statusCode: 200, body: 1 }, "body must be a string"],
    [{ statusCode: 200, headers: ["a"] }, "headers must be an object"],
    [{ statusCode: 200, headers: { a: ["b"] } }, "header a must be a string, not a list"],
    [{ statusCode: 200, headers: { "a b": "c" } }, "header a b has a character"],
    [{ statusCode: 200, headers: { a: "b\r\nc: d" } }, "header a has a character"],
    [{ statusCode: 200, cookies: "a=1" }, "cookies must be a list"],
    [{ statusCode: 200, cookies: ["a=1\r\nb: c"] }, "a cookie has a character"],
  ])("is refused with a reason when it is malformed: %j", (value, reason) => {
    expect(answer(value)).toMatchObject({
      kind: "invalid",
      reason: expect.stringContaining(reason),
    });
  });
});
