import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  createStageFixture,
  freePort,
  type StageFixture,
} from "../../server/stages/stage.fixture.ts";

const ECHO = `export const handler = async (event) => ({
  statusCode: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(event),
});`;

const ANSWERS = `export const handler = async (event) => JSON.parse(event.queryStringParameters.answer);`;

const CORS = {
  allowOrigins: ["https://app.example"],
  allowMethods: ["*"],
  allowHeaders: ["*"],
  exposeHeaders: [],
  allowCredentials: false,
  maxAge: null,
};

describe("a gateway", () => {
  let fixture: StageFixture;
  let api = 0;
  let url = 0;
  let cors = 0;

  beforeAll(async () => {
    fixture = await createStageFixture();
    [api, url, cors] = await Promise.all([freePort(), freePort(), freePort()]);
    const echo = await fixture.function("Echo", ECHO);
    const answers = await fixture.function("Answers", ANSWERS);
    const routes = {
      "GET /notes/{id}": "Echo",
      "ANY /echo/{proxy+}": "Echo",
      "POST /upload": "Echo",
      "GET /answer": "Answers",
      "GET /gone": "Nothing",
    };
    await fixture
      .host()
      .apply(
        fixture.runtime(
          1,
          [echo, answers],
          [
            fixture.api(api, routes),
            fixture.api(url, { $default: "Echo" }, { id: "urlurlurlu", kind: "function-url" }),
            fixture.api(cors, { "ANY /echo": "Echo" }, { id: "corscorsco", cors: CORS }),
          ],
        ),
      );
  });
  afterAll(() => fixture.close());

  it("builds the event of payload format 2.0", async () => {
    const reply = await ask(api, "/notes/a%20b?tag=x&tag=y&q=caf%C3%A9", {
      headers: {
        cookie: "a=1; b=2",
        "user-agent": "test/1",
        "x-multi": ["1", "2"],
        "X-Amzn-Trace-Id": "Root=1-2-3",
      },
    });
    const event = JSON.parse(reply.body);
    expect(event).toEqual({
      version: "2.0",
      routeKey: "GET /notes/{id}",
      rawPath: "/notes/a b",
      rawQueryString: "tag=x&tag=y&q=caf%C3%A9",
      cookies: ["a=1", "b=2"],
      headers: {
        host: `localhost:${api}`,
        connection: "close",
        "content-length": "0",
        "user-agent": "test/1",
        "x-amzn-trace-id": "Root=1-2-3",
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-port": String(api),
        "x-forwarded-proto": "http",
        "x-multi": "1,2",
      },
      queryStringParameters: { tag: "x,y", q: "caf\u00e9" },
      requestContext: {
        accountId: "000000000000",
        apiId: "abcdefghij",
        domainName: "abcdefghij.execute-api.us-east-1.amazonaws.com",
        domainPrefix: "abcdefghij",
        http: {
          method: "GET",
          path: "/notes/a b",
          protocol: "HTTP/1.1",
          sourceIp: "127.0.0.1",
          userAgent: "test/1",
        },
        requestId: expect.stringMatching(/^[A-Za-z0-9+/]{15}=$/),
        routeKey: "GET /notes/{id}",
        stage: "$default",
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      pathParameters: { id: "a b" },
      isBase64Encoded: false,
    });
    expect(reply.headers["apigw-requestid"]).toMatch(/=$/);
  });

  it("builds the event of a function URL: path as sent, cookies in both places", async () => {
    const reply = await ask(url, "/any/a%20b?x=1", { headers: { cookie: "a=1" } });
    const event = JSON.parse(reply.body);
    expect(event).toMatchObject({
      routeKey: "$default",
      rawPath: "/any/a%20b",
      cookies: ["a=1"],
      headers: { cookie: "a=1" },
      requestContext: {
        accountId: "anonymous",
        apiId: "urlurlurlu",
        domainName: "urlurlurlu.lambda-url.us-east-1.on.aws",
        routeKey: "$default",
        stage: "$default",
      },
    });
    expect(event).not.toHaveProperty("pathParameters");
    expect(event).not.toHaveProperty("body");
  });

  it.each([
    ["application/json", false],
    ["application/vnd.api+json; charset=utf-8", false],
    ["text/plain", false],
    ["application/x-www-form-urlencoded", true],
    ["application/octet-stream", true],
    ["multipart/form-data; boundary=x", true],
  ])("passes a body of %s on as base64: %s", async (type, isBase64Encoded) => {
    const body = '{"a":"\u00e9"}';
    const reply = await ask(api, "/upload", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    const expected = isBase64Encoded ? Buffer.from(body).toString("base64") : body;
    expect(JSON.parse(reply.body)).toMatchObject({ body: expected, isBase64Encoded });
  });

  it.each([
    ["a path without a route", "/none", 404, "Not Found"],
    ["an escape that cannot be decoded", "/echo/%zz", 400, "Bad Request"],
    ["a route whose function is missing", "/gone", 500, "Internal Server Error"],
  ])("answers %s", async (_, path, status, message) => {
    const reply = await ask(api, path);
    expect(reply).toMatchObject({ status, body: JSON.stringify({ message }) });
    expect(reply.headers["content-type"]).toBe("application/json");
  });

  it("refuses a request that names another host", async () => {
    for (const host of ["evil.example", `evil.example:${api}`, "localhost.evil.example"]) {
      const reply = await ask(api, "/echo/x", { headers: { host } });
      expect(reply).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
    }
    expect((await ask(api, "/echo/x", { headers: { host: "app.localhost" } })).status).toBe(200);
  });

  it("takes 10 MB, though a function takes six, and refuses more before it is sent", async () => {
    const post = (bytes: number) =>
      ask(api, "/upload", {
        method: "POST",
        headers: { "content-type": "text/plain" },
        body: Buffer.alloc(bytes, "a"),
      });
    expect((await post(3_000_000)).status).toBe(200);
    expect(await post(7_000_000)).toMatchObject({
      status: 413,
      body: '{"message":"Request Entity Too Large"}',
    });
    // The rest of the body is not read, so the client may see the answer or a closed connection.
    const reply = await post(11_000_000).catch((error: Error) => error);
    if (!(reply instanceof Error)) expect(reply.status).toBe(413);
    expect((await ask(api, "/echo/x")).status).toBe(200);
  });

  it("answers HEAD with the headers alone", async () => {
    const reply = await ask(api, "/echo/x", { method: "HEAD" });
    expect(reply).toMatchObject({ status: 200, body: "" });
    expect(Number(reply.headers["content-length"])).toBeGreaterThan(100);
    expect((await ask(api, "/notes/1", { method: "HEAD" })).status).toBe(404);
  });

  it("passes on status, headers, cookies and binary bodies", async () => {
    const answer = {
      statusCode: 201,
      headers: { "X-Own": "1", "content-type": "text/html" },
      cookies: ["a=1; Path=/", "b=2"],
      body: Buffer.from("h\u00e9").toString("base64"),
      isBase64Encoded: true,
    };
    const reply = await ask(api, `/answer?answer=${encodeURIComponent(JSON.stringify(answer))}`);
    expect(reply).toMatchObject({ status: 201, body: "h\u00e9" });
    expect(reply.headers).toMatchObject({
      "x-own": "1",
      "content-type": "text/html",
      "set-cookie": ["a=1; Path=/", "b=2"],
    });
  });

  it("makes a 500 of a malformed response and says in the log what is wrong with it", async () => {
    const answer = encodeURIComponent('{"statusCode":200,"body":{"a":1}}');
    expect(await ask(api, `/answer?answer=${answer}`)).toMatchObject({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    });
    const messages = (await fixture.logs()).map((entry) => entry.message);
    expect(messages.some((text) => text.includes("use JSON.stringify"))).toBe(true);
  });

  it("answers a preflight itself, and adds the configured headers to every other answer", async () => {
    const headers = { origin: "https://app.example" };
    const preflight = await ask(cors, "/echo", {
      method: "OPTIONS",
      headers: { ...headers, "access-control-request-method": "PUT" },
    });
    expect(preflight).toMatchObject({ status: 204, body: "" });
    expect(preflight.headers["access-control-allow-methods"]).toBe("*");
    for (const path of ["/echo", "/none"]) {
      const reply = await ask(cors, path, { headers });
      expect(reply.headers["access-control-allow-origin"]).toBe("https://app.example");
    }
    expect((await ask(cors, "/echo", { method: "OPTIONS" })).status).toBe(200);
  });

  it("answers several requests of one connection in order, also when they come at once", async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(api, "127.0.0.1");
      const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`;
      socket.write(
        `${one("/echo/1")}\r\n${one("/echo/2")}\r\n${one("/echo/3")}Connection: close\r\n\r\n`,
      );
      let received = "";
      socket.on("data", (data) => {
        received += data.toString();
      });
      socket.on("end", () => resolve(received));
      socket.on("error", reject);
    });
    expect(text.match(/"rawPath":"\/echo\/\d"/g)).toEqual(
      [1, 2, 3].map((number) => `"rawPath":"/echo/${number}"`),
    );
  });

  it.each([
    ["GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n", "400"],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, "431"],
    ["nonsense\r\n\r\n", "400"],
  ])("survives bad HTTP: %#", async (bytes, status) => {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(api, "127.0.0.1", () => socket.write(bytes));
      let received = "";
      socket.on("data", (data) => {
        received += data.toString();
      });
      socket.on("close", () => resolve(received));
      socket.on("error", () => {});
    });
    expect(text).toContain(`HTTP/1.1 ${status}`);
    expect((await ask(api, "/echo/x")).status).toBe(200);
  });
});
