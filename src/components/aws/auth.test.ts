import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../model/diagnostic.ts";
import { AppBuilder } from "../app-builder.ts";
import { enterEvaluation } from "../evaluation.ts";
import { interpolate } from "../interpolate.ts";
import { scrim } from "../namespace.ts";
import type { ComponentNode, RouteSpec } from "../node.ts";
import { functionsOf } from "../resolve-refs.ts";
import type { RouteArgs } from "./route-options.ts";

const { aws } = scrim;

function evaluated(body: () => void): readonly ComponentNode[] {
  const builder = new AppBuilder();
  const locator = { locate: () => null };
  enterEvaluation({ locator, builder });
  try {
    body();
    return builder.nodes();
  } finally {
    enterEvaluation({ locator, builder: null });
  }
}

function problemOf(body: () => void): { readonly code: string; readonly message: string } {
  try {
    evaluated(body);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0];
    throw error;
  }
  return { code: "none", message: "" };
}

const codeOf = (body: () => void): string => problemOf(body).code;
const loosely = (value: unknown): never => value as never;
const api = () => new aws.ApiGatewayV2("Api");
const auth = (authorizer: unknown = "src/auth.handler") =>
  new aws.Auth("Auth", { authorizer: loosely(authorizer) });

/** The one route of an API that a body creates. */
function routeOf(body: () => void): RouteSpec {
  const found = evaluated(body).flatMap((node) =>
    node.kind === "ApiGatewayV2" ? node.routes : [],
  );
  const [route] = found;
  if (route === undefined) throw new Error("there is no route");
  return route;
}

describe("an Auth component", () => {
  it("has an authorizer, as an object or as a handler alone", () => {
    for (const given of ["./src/auth.handler", { handler: "src/auth.handler" }]) {
      const [node] = evaluated(() => auth(given));
      expect(node).toMatchObject({
        ...{ kind: "Auth", name: "Auth", mode: "composed" },
        authorizer: { handler: "src/auth.handler", links: [], permissions: [], environment: {} },
      });
    }
  });

  it.each([
    [null, "OPTION_INVALID"],
    [{}, "OPTION_MISSING"],
    ["src/auth", "HANDLER_INVALID"],
    [{ handler: "src/auth.ts" }, "HANDLER_INVALID"],
    [{ handler: "a.b", hanlder: "a.b" }, "OPTION_UNKNOWN"],
    [{ handler: "a.b", timeout: "2 seconds" }, "OPTION_NOT_AVAILABLE"],
    [{ handler: "a.b", memory: "1 GB" }, "OPTION_NOT_AVAILABLE"],
    [{ handler: "a.b", link: ["Bucket"] }, "OPTION_INVALID"],
  ])("refuses the authorizer %j", (authorizer, code) => {
    expect(codeOf(() => auth(authorizer))).toBe(code);
  });

  it("refuses unknown options and modes", () => {
    const authorizer = "a.b";
    const made = (more: object) => codeOf(() => new aws.Auth("A", { authorizer, ...more }));
    expect(made({ mdoe: "composed" })).toBe("OPTION_UNKNOWN");
    expect(made({ mode: "native" })).toBe("OPTION_INVALID");
  });
});

describe("a protected route", () => {
  it("has a function that holds its authorizer, in either form of route()", () => {
    const forms: readonly ((protectedBy: InstanceType<typeof aws.Auth>) => void)[] = [
      (protectedBy) => api().route("GET /x", { handler: "a.b", auth: protectedBy }),
      (protectedBy) => api().route("GET /x", "a.b", { auth: protectedBy }),
      (protectedBy) => api().route("GET /x", { handler: "a.b" }, { auth: protectedBy }),
    ];
    for (const form of forms) {
      expect(routeOf(() => form(auth()))).toMatchObject({
        auth: { component: "Auth", authorizer: { handler: "src/auth.handler" } },
        function: { handler: "a.b", authorizer: { handler: "src/auth.handler" } },
      });
    }
  });

  it("is not bundled without its authorizer, and the authorizer not without a route", () => {
    const nodes = evaluated(() => api().route("GET /x", { handler: "a.b", auth: auth() }));
    const functions = nodes.flatMap(functionsOf);
    expect(functions.map((spec) => [spec.handler, spec.authorizer?.handler])).toEqual([
      ["a.b", "src/auth.handler"],
    ]);
  });

  it("has the links, permissions and environment of both", () => {
    const route = routeOf(() => {
      const both = new aws.Bucket("Both");
      const own = new aws.Bucket("Own");
      const theirs = new scrim.Secret("Theirs");
      const permission = (action: string) => ({ actions: [action], resources: ["*"] });
      const protectedBy = auth({
        ...{ handler: "a.auth", link: [theirs, both], environment: { THEIRS: "1", SAME: "x" } },
        permissions: [permission("ses:SendEmail")],
      });
      api().route("GET /x", {
        ...{ handler: "a.b", auth: protectedBy, link: [own, both] },
        environment: { OWN: "2", SAME: "x" },
        permissions: [permission("sns:Publish")],
      });
    });
    expect(route.function.links.map(({ name }) => name).sort()).toEqual(["Both", "Own", "Theirs"]);
    expect(route.function.environment).toEqual({ THEIRS: "1", OWN: "2", SAME: "x" });
    expect(route.function.permissions.map(({ actions }) => actions)).toEqual([
      ["sns:Publish"],
      ["ses:SendEmail"],
    ]);
  });

  it("may not set a variable otherwise than its authorizer", () => {
    const withVariable = (theirs: unknown, own: unknown) => () =>
      api().route("GET /x", {
        ...{ handler: "a.b", environment: loosely({ LEVEL: own }) },
        auth: auth({ handler: "a.auth", environment: { LEVEL: theirs } }),
      });
    const { code, message } = problemOf(withVariable("debug", "info"));
    expect(code).toBe("AUTH_ENVIRONMENT_CONFLICT");
    expect(message).toContain('Route "GET /x"');
    expect(message).toContain('scrim.aws.Auth "Auth" set LEVEL differently');
    expect(codeOf(withVariable("info", "info"))).toBe("none");
    const outputs = (one: string, other: string) =>
      codeOf(() => {
        const buckets = { A1: new aws.Bucket("A1"), B1: new aws.Bucket("B1") } as const;
        const name = (of: string) => (of === "A1" ? buckets.A1.name : buckets.B1.name);
        withVariable(name(one), name(other))();
      });
    expect(outputs("A1", "A1")).toBe("none");
    expect(outputs("A1", "B1")).toBe("AUTH_ENVIRONMENT_CONFLICT");
    const computed = () => {
      const bucket = new aws.Bucket("A1");
      withVariable(interpolate`${bucket.name}/x`, interpolate`${bucket.name}/y`)();
    };
    expect(codeOf(computed)).toBe("AUTH_ENVIRONMENT_CONFLICT");
  });

  it("has an authorizer of its own in the mode gateway", () => {
    const route = routeOf(() => {
      const protectedBy = new aws.Auth("Auth", { authorizer: "a.auth", mode: "gateway" });
      api().route("GET /x", { handler: "a.b", auth: protectedBy });
    });
    expect(route).toMatchObject({ auth: { component: "Auth" }, function: { handler: "a.b" } });
    expect(route.function.authorizer).toBeUndefined();
  });

  it("is never left open by an `auth` that is something else", () => {
    const wrong: readonly unknown[] = [
      ...[
        null,
        true,
        "Auth",
        {},
        { authorizer: "a.b" },
        aws.Auth,
        Object.create(aws.Auth.prototype),
      ],
    ];
    for (const value of wrong) {
      const args = loosely({ handler: "a.b", auth: value });
      expect(codeOf(() => api().route("GET /x", args))).toBe("OPTION_INVALID");
      const behind = loosely({ auth: value });
      expect(codeOf(() => api().route("GET /x", "a.b", behind))).toBe("OPTION_INVALID");
    }
  });

  it("names its auth once", () => {
    const both = (first: RouteArgs["auth"], second: RouteArgs["auth"]) => {
      const args = loosely({ handler: "a.b", auth: first });
      return () => api().route("GET /x", args, loosely({ auth: second }));
    };
    expect(codeOf(() => both(auth(), false)())).toBe("OPTION_INVALID");
    expect(codeOf(() => both(false, auth())())).toBe("OPTION_INVALID");
  });
});
