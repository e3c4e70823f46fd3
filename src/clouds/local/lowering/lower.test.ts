import { describe, expect, it } from "vitest";
import type {
  ApiGatewayV2Node,
  BucketNode,
  DynamoNode,
  FunctionNode,
  FunctionSpec,
} from "../../../components/node.ts";
import { urnOf } from "../../../model/urn.ts";
import { Ref, Sensitive } from "../../../model/value.ts";
import type { LoweringContext } from "../../cloud.ts";
import { lower } from "./lower.ts";

const context: LoweringContext = {
  app: "shop",
  stage: "dev",
  dev: false,
  open: (value) => value,
  bundle: (spec) => ({
    ...{ hash: `hash of ${spec.handler}`, zipFile: "", sizeBytes: 1, inputs: [] },
    handler: "index.list",
  }),
};

const source = { file: "scrim.config.ts", line: 7 };
const base = { aliases: [], source, transform: {} };

const spec: FunctionSpec = {
  ...{ handler: "src/notes.list", description: "", timeoutMs: 20_000, memoryMb: 1_024 },
  ...{ environment: {}, links: [], permissions: [], architecture: "arm64", source },
  ...{ runtime: "nodejs22.x", concurrency: null, url: null },
  bundle: {
    ...{ minify: true, sourcemap: true, external: [], loader: {}, banner: "", copyFiles: [] },
  },
};

const fn = (more: Partial<FunctionSpec> = {}): FunctionNode => ({
  ...{ ...base, kind: "Function", name: "Worker" },
  function: { ...spec, ...more },
});

const api: ApiGatewayV2Node = {
  ...{ ...base, kind: "ApiGatewayV2", name: "Api", cors: null },
  routes: [
    { routeKey: "GET /notes", function: spec, auth: null, source },
    { routeKey: "POST /notes", function: spec, auth: null, source },
  ],
};

const bucket: BucketNode = {
  ...base,
  ...{ kind: "Bucket", name: "Uploads", cors: null, versioning: false },
};

const table: DynamoNode = {
  ...{ ...base, kind: "Dynamo", name: "Notes", fields: { id: "string" } },
  primaryIndex: { hashKey: "id", rangeKey: null, projection: "all" },
  ...{ globalIndexes: {}, localIndexes: {}, deletionProtection: false, ttl: null, stream: null },
};

describe("lowering to the local cloud", () => {
  it("makes one function with its bundle, environment and links", () => {
    const secret = new Sensitive("s");
    const link = { name: "Notes", type: "scrim.aws.Dynamo", permissions: [] };
    const name = new Ref(urnOf("local:table", "Notes"), "name");
    const { goals, outputs } = lower(
      fn({ environment: { TOKEN: secret }, links: [{ ...link, properties: { name } }] }),
      context,
    );
    expect(goals).toHaveLength(1);
    expect(goals[0]).toMatchObject({ urn: "local:function::Worker", component: "Worker" });
    expect(goals[0]?.inputs).toEqual({
      ...{ name: "Worker", bundle: "hash of src/notes.list", handler: "index.list" },
      ...{ timeoutMs: 20_000, memoryMb: 1_024, concurrency: null },
      environment: { TOKEN: secret },
      links: { Notes: { type: "scrim.aws.Dynamo", name } },
    });
    expect(Object.keys(outputs)).toEqual(["name", "arn"]);
  });

  it("adds a URL to a function that asks for one", () => {
    const { goals, outputs } = lower(fn({ url: { cors: null } }), context);
    expect(goals.map(({ type }) => type)).toEqual(["local:function", "local:function-url"]);
    expect(outputs["url"]).toEqual(new Ref(urnOf("local:function-url", "Worker"), "url"));
  });

  it("makes an API, and a function and a route for each of its routes", () => {
    const { goals, outputs } = lower(api, context);
    expect(goals.map(({ urn }) => urn)).toEqual([
      "local:api::Api",
      "local:function::Api/GET /notes",
      "local:route::Api/GET /notes",
      "local:function::Api/POST /notes",
      "local:route::Api/POST /notes",
    ]);
    expect(goals.every(({ component }) => component === "Api")).toBe(true);
    expect(Object.keys(outputs)).toEqual(["url", "id"]);
  });

  it("carries aliases over to every resource of a component", () => {
    const { goals } = lower({ ...api, aliases: ["OldApi"] }, context);
    expect(goals.map(({ aliases }) => aliases[0])).toEqual([
      "local:api::OldApi",
      "local:function::OldApi/GET /notes",
      "local:route::OldApi/GET /notes",
      "local:function::OldApi/POST /notes",
      "local:route::OldApi/POST /notes",
    ]);
  });

  it("gives the same goals for the same nodes", () => {
    for (const node of [fn(), api, bucket, table]) {
      expect(lower(node, context)).toEqual(lower(node, context));
    }
  });

  it.each([
    ["a stream", { ...table, stream: "new-image" as const }, /Notes asks for a stream/],
    ["a time to live", { ...table, ttl: "expires" }, /Notes asks for a time to live/],
    ["versioning", { ...bucket, versioning: true }, /Uploads asks for versioning/],
  ])("refuses %s by name", (_, node, message) => {
    expect(() => lower(node, context)).toThrow(message);
  });

  it("applies transforms, and refuses one that it would ignore", () => {
    const slow = fn({ transform: { function: { timeoutMs: 1 } } });
    expect(lower(slow, context).goals[0]?.inputs["timeoutMs"]).toBe(1);
    const unknown = fn({ transform: { function: { memorySize: 1 } } });
    expect(() => lower(unknown, context)).toThrow("transform.function of Worker sets memorySize");
  });

  it("makes nothing of secrets and linkables", () => {
    const secret = { ...base, kind: "Secret" as const, name: "Token", placeholder: null };
    expect(lower(secret, context)).toEqual({ goals: [], outputs: {} });
  });
});
