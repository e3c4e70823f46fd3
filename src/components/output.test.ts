import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type Diagnostic, DiagnosticError } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { urnOf } from "../model/urn.ts";
import { Computed, Ref, Sensitive, type Value } from "../model/value.ts";
import { AppBuilder } from "./app-builder.ts";
import { dependencyOrder } from "./dependency-order.ts";
import { enterEvaluation } from "./evaluation.ts";
import { concat, interpolate, jsonParse, jsonStringify, resolve } from "./interpolate.ts";
import { scrim } from "./namespace.ts";
import { type ComponentNode, ComponentRef, type NodeValue } from "./node.ts";
import { Output } from "./output.ts";
import { functionsOf, refsOf, substitute, substituteNode } from "./resolve-refs.ts";
import { secretsOf } from "./secrets.ts";
import { applyTransform } from "./transform.ts";

const outputOf = (component: string, output = "name") =>
  new Output<string>(new ComponentRef(component, output));

/** What the engine makes of a value when every output `X.name` is the text `<X.name>`. */
function evaluate(value: Value): Json {
  if (value instanceof Computed) return evaluate(value.compute(value.inputs.map(evaluate)));
  if (Array.isArray(value)) return value.map(evaluate);
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Sensitive) return value.value;
  if (value instanceof Ref) throw new Error("an output that was not looked up");
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, evaluate(member as Value)]),
  );
}

const lookup = (ref: ComponentRef): Value => `<${ref.component}.${ref.output}>`;
const known = (output: Output<unknown>): Json =>
  evaluate(substitute(Output.valueOf(output), lookup));

function problemOf(body: () => unknown): Diagnostic {
  try {
    body();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0];
    throw error;
  }
  throw new Error("nothing was thrown");
}

function nodesOf(body: () => void): readonly ComponentNode[] {
  const builder = new AppBuilder();
  enterEvaluation({ locator: { locate: () => null }, builder });
  body();
  enterEvaluation({ locator: { locate: () => null }, builder: null });
  return builder.nodes();
}

describe("an output", () => {
  const url = outputOf("Api", "url");

  it("can be put into texts, changed, joined, and turned to and from JSON", () => {
    expect(known(interpolate`${url}/x?n=${1}&b=${true}`)).toBe("<Api.url>/x?n=1&b=true");
    expect(known(concat("a", url, 2))).toBe("a<Api.url>2");
    expect(known(url.apply((text) => text.length))).toBe(9);
    expect(known(jsonStringify({ url, list: [url] }))).toBe(
      '{"url":"<Api.url>","list":["<Api.url>"]}',
    );
    expect(known(jsonParse<{ a: number }>('{"a":1}').apply(({ a }) => a))).toBe(1);
    expect(known(resolve({ a: url, b: [1, url] }).apply(({ a, b }) => `${a}${b[1]}`))).toBe(
      "<Api.url><Api.url>",
    );
  });

  it("may be made of others inside of .apply()", () => {
    const other = outputOf("Other");
    expect(known(url.apply((text) => other.apply((name) => `${text}${name}`)))).toBe(
      "<Api.url><Other.name>",
    );
    expect(known(url.apply((text) => interpolate`${text} and ${other}`))).toBe(
      "<Api.url> and <Other.name>",
    );
  });

  it("cannot be awaited, printed or compared, and says what to do instead", async () => {
    await expect((async () => await url)()).rejects.toThrow(/An output was awaited/);
    const uses: (() => unknown)[] = [
      () => `${url}`,
      () => String(url),
      () => `a${url as never}`,
      () => Number(url),
      () => JSON.stringify({ url }),
    ];
    for (const use of uses) {
      expect(problemOf(use)).toMatchObject({ code: "OUTPUT_MISUSED", hint: expect.any(String) });
    }
    expect(inspect(url)).toBe("Output<known after the deploy>");
  });

  it("is refused in a template when it is an object, and so is undefined", () => {
    const object = interpolate`${resolve({ a: 1 }) as never}`;
    expect(problemOf(() => known(object))).toMatchObject({ code: "OUTPUT_MISUSED" });
    expect(problemOf(() => interpolate`${undefined as never}`).code).toBe("OPTION_MISSING");
  });

  it("whose function throws, or returns what JSON cannot hold, is a problem of the user's", () => {
    const thrower = url.apply(() => {
      throw new Error("no");
    });
    expect(problemOf(() => known(thrower))).toMatchObject({ code: "APPLY_THREW" });
    const slow = url.apply(async () => 1);
    expect(problemOf(() => known(slow))).toMatchObject({ code: "VALUE_UNSUPPORTED" });
  });

  it("whose function creates a component is refused", () => {
    nodesOf(() => {
      const made = url.apply((name) => {
        new scrim.aws.Bucket(name);
      });
      expect(problemOf(() => known(made))).toMatchObject({ code: "COMPONENT_IN_APPLY" });
      expect(() => new scrim.aws.Bucket("Fine")).not.toThrow();
    });
  });
});

describe("references between components", () => {
  const nodes = nodesOf(() => {
    const api = new scrim.aws.ApiGatewayV2("Api");
    const table = new scrim.aws.Dynamo("Table", {
      fields: { id: "string" },
      primaryIndex: { hashKey: "id" },
    });
    api.route("GET /x", {
      handler: "a.b",
      link: [table],
      environment: { TABLE: interpolate`${table.arn}!` },
    });
    api.route("GET /y", { handler: "a.c", transform: { function: { kms: table.arn } } });
    new scrim.Secret("Zed");
    new scrim.Secret("Alpha");
  });
  const [api] = nodes;
  if (api?.kind !== "ApiGatewayV2") throw new Error("no API");

  it("are found wherever they stand", () => {
    expect(new Set(refsOf(api).map((ref) => `${ref.component}.${ref.output}`))).toEqual(
      new Set(["Table.arn", "Table.name"]),
    );
    expect(refsOf(api.routes[1])).toHaveLength(1);
  });

  it("are found under a key of the user's that is called as the place in the source is", () => {
    const [, own] = nodesOf(() => {
      const table = new scrim.aws.Dynamo("Table", {
        fields: { id: "string" },
        primaryIndex: { hashKey: "id" },
      });
      new scrim.Linkable("Own", { properties: { source: table.arn } });
    });
    expect(refsOf(own).map((ref) => ref.component)).toEqual(["Table"]);
  });

  it("are looked for before a node is copied", () => {
    const [bucket] = nodesOf(() => new scrim.aws.Bucket("Plain"));
    if (bucket === undefined) throw new Error("no bucket");
    expect(substituteNode(bucket, () => null)).toBe(bucket);
  });

  it("decide the order, which is otherwise that of creation", () => {
    expect(dependencyOrder(nodes).map((node) => node.name)).toEqual([
      "Table",
      "Api",
      "Zed",
      "Alpha",
    ]);
  });

  it("are all replaced in a copy that keeps the order of functions", () => {
    const copy = substituteNode(api, () => new Ref(urnOf("t", "Table"), "arn"));
    expect(refsOf(copy)).toEqual([]);
    expect(functionsOf(copy).map((spec) => spec.handler)).toEqual(["a.b", "a.c"]);
    expect(functionsOf(api)).toHaveLength(2);
    expect(copy.routes[0]?.function.environment["TABLE"]).toBeInstanceOf(Computed);
    expect(copy.routes[0]?.function.links[0]?.properties["name"]).toBeInstanceOf(Ref);
    expect(copy.routes[1]?.function.transform).toMatchObject({
      function: { kms: expect.any(Ref) },
    });
    expect(refsOf(api)).not.toEqual([]);
  });

  it("in a circle leave one of the components in front of what it needs", () => {
    const circle = nodesOf(() => {
      const a = new scrim.aws.ApiGatewayV2("A");
      const f = new scrim.aws.Function("F", { handler: "a.b", link: [a] });
      a.route("GET /x", { handler: "a.b", link: [f], environment: { OWN: a.url } });
    });
    expect(dependencyOrder(circle).map((node) => node.name)).toEqual(["F", "A"]);
  });

  it("list the secrets by name", () => {
    expect(secretsOf(nodes).map((secret) => secret.name)).toEqual(["Alpha", "Zed"]);
  });
});

describe("a transform", () => {
  const node = (transform: Record<string, unknown>) => ({ name: "F", transform, source: null });
  const inputs = { memory: 1024, tags: { a: "1" }, arn: new Ref(urnOf("t", "x"), "arn") };

  it("replaces members of the inputs when it is an object", () => {
    expect(applyTransform(node({ f: { memory: 1, more: true } }), "f", inputs)).toEqual({
      ...inputs,
      memory: 1,
      more: true,
    });
    expect(applyTransform(node({}), "f", inputs)).toBe(inputs);
  });

  it("changes a copy of the inputs when it is a function", () => {
    const change = (draft: { tags: Record<string, string> }, _: object, name: string) => {
      draft.tags["b"] = name;
    };
    expect(applyTransform(node({ f: change }), "f", inputs)).toEqual({
      ...inputs,
      tags: { a: "1", b: "F" },
    });
    expect(inputs.tags).toEqual({ a: "1" });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    [
      "leaves a function",
      (draft: Record<string, unknown>) => {
        draft["x"] = () => 1;
      },
    ],
    [
      "sets an output",
      (draft: Record<string, unknown>) => {
        draft["x"] = outputOf("B");
      },
    ],
  ])("that %s is a problem of the user's", (_, change: unknown) => {
    expect(problemOf(() => applyTransform(node({ f: change }), "f", inputs))).toMatchObject({
      code: "TRANSFORM_FAILED",
      exit: 2,
    });
  });

  it("takes outputs in its object form", () => {
    const nodes = nodesOf(() => {
      new scrim.aws.Bucket("B", { transform: { bucket: { x: outputOf("Other") } } });
    });
    const value: NodeValue = nodes[0]?.transform["bucket"] as NodeValue;
    expect(substitute(value, lookup)).toEqual({ x: "<Other.name>" });
  });
});
