import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../model/diagnostic.ts";
import { AppBuilder } from "./app-builder.ts";
import { enterEvaluation } from "./evaluation.ts";
import { interpolate } from "./interpolate.ts";
import { scrim } from "./namespace.ts";
import type { ComponentNode } from "./node.ts";
import { Output } from "./output.ts";

/** The nodes that a body creates. */
function nodesOf(body: () => void): readonly ComponentNode[] {
  const builder = new AppBuilder();
  enterEvaluation({ locator: { locate: () => null }, builder });
  try {
    body();
    return builder.nodes();
  } finally {
    enterEvaluation({ locator: { locate: () => null }, builder: null });
  }
}

function codeOf(body: () => void): string {
  try {
    nodesOf(body);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0].code;
    throw error;
  }
  return "none";
}

/** What JavaScript users may write, whatever the types say. */
function loosely(value: unknown): never {
  return value as never;
}

const { aws } = scrim;

describe("a function", () => {
  it("has the defaults of the reference", () => {
    const [node] = nodesOf(() => new aws.Function("F", { handler: "./src/a.run" }));
    expect(node).toMatchObject({
      kind: "Function",
      function: {
        handler: "src/a.run",
        timeoutMs: 20_000,
        memoryMb: 1024,
        architecture: "arm64",
        runtime: "nodejs22.x",
        concurrency: null,
        url: null,
        bundle: { minify: true, sourcemap: false, external: [], loader: {}, copyFiles: [] },
      },
    });
  });

  it("takes every option", () => {
    const [, node] = nodesOf(() => {
      const bucket = new aws.Bucket("B");
      new aws.Function("F", {
        handler: "src/a.run",
        timeout: "15 minutes",
        memory: "1.5 GB",
        environment: { BUCKET: bucket.name, EMPTY: "" },
        link: [bucket, bucket],
        permissions: [{ actions: ["ses:SendEmail"], resources: ["*"] }],
        architecture: "x86_64",
        concurrency: { reserved: 5 },
        nodejs: { esbuild: { external: ["sharp"] }, loader: { ".html": "text" }, sourcemap: true },
        copyFiles: [{ from: "static" }],
        url: { cors: { allowOrigins: ["https://a.b"], maxAge: "1 day" } },
        transform: { function: { tracing: true } },
        aliases: ["Old"],
      });
    });
    expect(node).toMatchObject({
      aliases: ["Old"],
      transform: { function: { tracing: true } },
      function: {
        timeoutMs: 900_000,
        memoryMb: 1536,
        environment: { BUCKET: { component: "B", output: "name" }, EMPTY: "" },
        links: [{ name: "B", type: "scrim.aws.Bucket" }],
        permissions: [{ effect: "allow", actions: ["ses:SendEmail"], resources: ["*"] }],
        concurrency: 5,
        bundle: { external: ["sharp"], copyFiles: [{ from: "static", to: "static" }] },
        url: { cors: { allowOrigins: ["https://a.b"], maxAge: 86_400, allowHeaders: ["*"] } },
      },
    });
  });

  it.each([
    { timeout: "20" },
    { timeout: "20 secs" },
    { timeout: 20 },
    { timeout: "16 minutes" },
    { timeout: "0 seconds" },
    { memory: "1024" },
    { memory: "64 MB" },
    { memory: "11 GB" },
    { memory: "0.3333 GB" },
    { runtime: "nodejs20.x" },
    { architecture: "arm" },
    { environment: { A1: 5 } },
    { environment: { "A-B": "x" } },
    { environment: { AWS_REGION: "x" } },
    { environment: { SCRIM_KEY: "x" } },
    { concurrency: { reserved: 1.5 } },
    { permissions: [{ actions: "s3:*", resources: ["*"] }] },
    { copyFiles: [{ from: "/etc" }] },
    { copyFiles: [{ from: "../x" }] },
    { copyFiles: [{ from: "x", to: "../y" }] },
    { nodejs: { loader: { html: "text" } } },
    { url: "yes" },
    { url: { cors: { allowCredentials: true } } },
    { transform: { function: 5 } },
  ])("refuses %j", (wrong) => {
    const args = loosely({ handler: "a.b", ...wrong });
    expect(codeOf(() => new aws.Function("F", args))).toBe("OPTION_INVALID");
  });

  it("refuses a variable that is undefined", () => {
    const args = loosely({ handler: "a.b", environment: { A1: undefined } });
    expect(codeOf(() => new aws.Function("F", args))).toBe("OPTION_MISSING");
  });

  it.each([undefined, null, 5, "a.b", []])("refuses %j as options", (args) => {
    expect(codeOf(() => new aws.Function("F", loosely(args)))).toMatch(/^OPTION_/);
  });

  it.each([
    "../../etc/passwd.handler",
    "src/../../x.handler",
    "/abs/x.h",
    "C:/x.h",
    "\\\\host\\x.h",
    "src\\x.h",
    "file:///x.h",
    "file:x.h",
    "src/x",
    ".handler",
    "src/.handler",
    "src/x.",
    "src/x.ts",
    "src//x.h",
    "src/x.a-b",
    "src/x\0.h",
    "",
  ])("refuses the handler %j", (handler) => {
    expect(codeOf(() => new aws.Function("F", { handler }))).toBe("HANDLER_INVALID");
  });

  it.each(["src/x.default", "src/x.y.handler", "a.$b", "src/[id].get"])(
    "takes the handler %j",
    (handler) => {
      expect(codeOf(() => new aws.Function("F", { handler }))).toBe("none");
    },
  );

  it("has a URL only with the option", () => {
    nodesOf(() => {
      expect(new aws.Function("F", { handler: "a.b", url: true }).url).toBeInstanceOf(Output);
      const without = new aws.Function("G", { handler: "a.b" });
      expect(() => without.url).toThrow(/has no URL/);
    });
  });
});

describe("a route", () => {
  const routes = (body: (api: InstanceType<typeof aws.ApiGatewayV2>) => void) =>
    nodesOf(() => body(new aws.ApiGatewayV2("Api")));

  it.each(["GET /", "GET /notes/{id}", "ANY /x/{proxy+}", "$default", "POST /a.b/~c", "GET /a/"])(
    "takes %j",
    (key) => {
      const [node] = routes((api) => api.route(key, "a.b"));
      expect(node).toMatchObject({ routes: [{ routeKey: key, function: { handler: "a.b" } }] });
    },
  );

  it.each([
    "GET users",
    "FETCH /x",
    "get /x",
    "GET  /x",
    "GET /x ",
    " GET /x",
    "GET",
    "/x",
    "GET /{a}/{a}",
    "GET /{a+}/b",
    "GET /x{a}",
    "GET /{}",
    "GET //x",
    "GET /x?y=1",
    "GET /x y",
    "",
  ])("refuses %j", (key) => {
    expect(codeOf(() => routes((api) => api.route(key, "a.b")))).toBe("ROUTE_INVALID");
  });

  it.each([
    ["GET /x", "GET /x"],
    ["GET /{a}", "GET /{b}"],
    ["$default", "$default"],
  ])("is refused when it matches what another does: %s and %s", (one, two) => {
    const both = () =>
      routes((api) => {
        api.route(one, "a.b");
        api.route(two, "a.c");
      });
    expect(codeOf(both)).toBe("ROUTE_DUPLICATE");
  });

  it("may be more special than another", () => {
    const [node] = routes((api) => {
      for (const key of ["ANY /x", "GET /x", "GET /{a}", "GET /{a+}", "GET /X"])
        api.route(key, "a.b");
    });
    expect(node).toMatchObject({ routes: { length: 5 } });
  });

  it("never becomes public because `auth` is undefined", () => {
    const asObject = loosely({ handler: "a.b", auth: undefined });
    expect(codeOf(() => routes((api) => api.route("GET /x", asObject)))).toBe("AUTH_UNDEFINED");
    const behind = loosely({ auth: undefined });
    expect(codeOf(() => routes((api) => api.route("GET /x", "a.b", behind)))).toBe(
      "AUTH_UNDEFINED",
    );
  });

  it("is public on purpose with `auth: false`, and refuses what is no Auth component", () => {
    expect(codeOf(() => routes((api) => api.route("GET /x", "a.b", { auth: false })))).toBe("none");
    for (const auth of [{}, { jwt: {} }, true, null]) {
      const args = loosely({ handler: "a.b", auth });
      expect(codeOf(() => routes((api) => api.route("GET /x", args)))).toBe("OPTION_INVALID");
    }
  });

  it("has the links of its API and its own", () => {
    const [, , node] = nodesOf(() => {
      const a = new aws.Bucket("A");
      const b = new scrim.Secret("B");
      const api = new aws.ApiGatewayV2("Api", { link: [a] });
      api.route("GET /x", { handler: "a.b", link: [b, a] });
    });
    expect(node).toMatchObject({
      routes: [{ function: { links: [{ name: "A" }, { name: "B" }] } }],
    });
  });
});

describe("a table", () => {
  const fields = { id: "string", at: "number" } as const;
  it("describes its indexes completely", () => {
    const [node] = nodesOf(
      () =>
        new aws.Dynamo("T", {
          fields,
          primaryIndex: { hashKey: "id", rangeKey: "at" },
          globalIndexes: { byAt: { hashKey: "at", projection: ["id"] } },
          localIndexes: { other: { rangeKey: "at", projection: "keys-only" } },
          ttl: "expires",
          stream: "new-image",
        }),
    );
    expect(node).toMatchObject({
      kind: "Dynamo",
      primaryIndex: { hashKey: "id", rangeKey: "at", projection: "all" },
      globalIndexes: { byAt: { hashKey: "at", rangeKey: null, projection: ["id"] } },
      localIndexes: { other: { hashKey: "id", rangeKey: "at", projection: "keys-only" } },
      ttl: "expires",
      stream: "new-image",
      deletionProtection: false,
    });
  });

  it.each([
    ["a key that is no field", { fields: { id: "string" }, primaryIndex: { hashKey: "ID" } }],
    ["a field in no index", { fields, primaryIndex: { hashKey: "id" } }],
    [
      "one field as both keys",
      { fields: { id: "string" }, primaryIndex: { hashKey: "id", rangeKey: "id" } },
    ],
    ["an unknown type", { fields: { id: "text" }, primaryIndex: { hashKey: "id" } }],
    [
      "a local index without a range key",
      { fields, primaryIndex: { hashKey: "id" }, localIndexes: { byAt: { rangeKey: "at" } } },
    ],
  ])("refuses %s", (_, args) => {
    expect(codeOf(() => new aws.Dynamo("T", loosely(args)))).toBe("OPTION_INVALID");
  });
});

describe("names", () => {
  it.each([
    "my-bucket",
    "My Bucket",
    "1st",
    "",
    "App",
    "a".repeat(65),
    "\u00e9t\u00e9",
    5,
    undefined,
  ])("%j is no name", (name) => {
    expect(codeOf(() => new aws.Bucket(loosely(name)))).toBe("COMPONENT_NAME_INVALID");
  });

  it("are unique regardless of case and kind, and both are named", () => {
    const twice = () => {
      new aws.Bucket("Notes");
      new aws.Function("notes", { handler: "a.b" });
    };
    expect(codeOf(twice)).toBe("COMPONENT_NAME_TAKEN");
    expect(() => nodesOf(twice)).toThrow(
      /scrim\.aws\.Bucket "Notes" and scrim\.aws\.Function "notes"/,
    );
  });

  it("are checked in `aliases` too", () => {
    expect(codeOf(() => new aws.Bucket("B", { aliases: ["no way"] }))).toBe(
      "COMPONENT_NAME_INVALID",
    );
  });

  it("that objects have by nature are ordinary", () => {
    const names = nodesOf(() => {
      for (const name of ["constructor", "toString", "hasOwnProperty"]) new aws.Bucket(name);
    }).map((node) => node.name);
    expect(names).toEqual(["constructor", "toString", "hasOwnProperty"]);
  });
});

describe("components", () => {
  it("that do not exist are refused with the list of those that do", () => {
    expect(() => Reflect.get(aws, "Queue")).toThrow(/There is no scrim\.aws\.Queue/);
    expect(() => Reflect.get(aws, "Buckt")).toThrow(DiagnosticError);
    expect(() => Reflect.get(scrim, "Bucket")).toThrow(/There is no scrim\.Bucket/);
  });

  it("cannot be created outside of run()", () => {
    nodesOf(() => {});
    expect(() => new aws.Bucket("B")).toThrow(/outside of run\(\)/);
  });

  it("that are undefined cannot be linked", () => {
    const args = loosely({ handler: "a.b", link: [undefined] });
    expect(codeOf(() => new aws.Function("F", args))).toBe("LINK_INVALID");
    expect(codeOf(() => new aws.Function("F", loosely({ handler: "a.b", link: ["B"] })))).toBe(
      "OPTION_INVALID",
    );
  });

  it("of one's own carry values, outputs and permissions", () => {
    const [, node] = nodesOf(() => {
      const bucket = new aws.Bucket("B");
      new scrim.Linkable("Limits", {
        properties: {
          uploads: 10,
          where: interpolate`s3://${bucket.name}`,
          deep: { list: [1, true] },
        },
        include: [aws.permission({ actions: ["s3:GetObject"], resources: [bucket.arn] })],
      });
    });
    expect(node).toMatchObject({
      kind: "Linkable",
      type: "scrim.Linkable",
      properties: { uploads: 10, deep: { list: [1, true] } },
      permissions: [{ effect: "allow", actions: ["s3:GetObject"] }],
    });
  });

  it.each([new Date(), () => 1, Number.NaN, Promise.resolve(1), new Map(), 1n, Symbol("x")])(
    "of one's own refuse what JSON cannot hold: %s",
    (value) => {
      expect(codeOf(() => new scrim.Linkable("L", { properties: { value } }))).toBe(
        "VALUE_UNSUPPORTED",
      );
    },
  );

  it("of one's own refuse a value that contains itself", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(codeOf(() => new scrim.Linkable("L", { properties: circle }))).toBe("VALUE_UNSUPPORTED");
  });

  it("that are secrets take a placeholder", () => {
    const nodes = nodesOf(() => {
      new scrim.Secret("A");
      new scrim.Secret("B", "none");
      new scrim.Secret("C", { placeholder: "", aliases: ["D"] });
    });
    expect(nodes).toMatchObject([
      { kind: "Secret", placeholder: null },
      { placeholder: "none" },
      { placeholder: "", aliases: ["D"] },
    ]);
  });
});
