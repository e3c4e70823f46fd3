import { describe, expect, it } from "vitest";
import type {
  ApiGatewayV2Node,
  BucketNode,
  CognitoUserPoolClientNode,
  CognitoUserPoolNode,
  DynamoNode,
  FunctionNode,
  FunctionSpec,
} from "../../../components/node.ts";
import { buildGraph } from "../../../engine/graph/graph.ts";
import { urnOf } from "../../../model/urn.ts";
import { Computed, Ref, Sensitive } from "../../../model/value.ts";
import type { Lowered, LoweringContext } from "../../cloud.ts";
import { lowerAws } from "./lower.ts";

const context: LoweringContext = {
  ...{ app: "shop", stage: "Dev", dev: false, open: (value) => value },
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
    {
      ...{ routeKey: "POST /notes", function: spec, source },
      auth: { component: "Auth", authorizer: spec },
    },
  ],
};

const bucket: BucketNode = {
  ...{ ...base, kind: "Bucket", name: "Uploads", cors: null, versioning: true },
};

const table: DynamoNode = {
  ...{ ...base, kind: "Dynamo", name: "Notes", fields: { id: "string" } },
  primaryIndex: { hashKey: "id", rangeKey: null, projection: "all" },
  ...{ globalIndexes: {}, localIndexes: {}, deletionProtection: false },
  ...{ ttl: "expires", stream: "new-image" },
};

const urns = ({ goals }: Lowered) => goals.map(({ urn }) => urn);
const goal = ({ goals }: Lowered, urn: string) => goals.find((each) => each.urn === urn);

describe("lowering to AWS", () => {
  it("makes a role and a function that writes to the log group of the stage", () => {
    const lowered = lowerAws(fn(), context);
    expect(urns(lowered)).toEqual(["aws:role::Worker", "aws:function::Worker"]);
    expect(lowered.shared?.map(({ urn, inputs }) => [urn, inputs])).toEqual([
      ["aws:log-group::Logs", { name: "/scrim/shop/Dev", retentionDays: 30 }],
    ]);
    expect(goal(lowered, "aws:function::Worker")?.inputs).toEqual({
      ...{ bundle: "hash of src/notes.list", handler: "index.list", runtime: "nodejs22.x" },
      ...{ architecture: "arm64", description: "", timeoutMs: 20_000, memoryMb: 1_024 },
      ...{ concurrency: null, environment: {}, links: {} },
      role: new Ref(urnOf("aws:role", "Worker"), "arn"),
      logGroup: new Ref(urnOf("aws:log-group", "Logs"), "name"),
    });
  });

  it("lets a function do what its links and permissions say, once each, and nothing else", () => {
    const arn = new Ref(urnOf("aws:table", "Notes"), "arn");
    const read = { effect: "allow", actions: ["dynamodb:GetItem"], resources: [arn] } as const;
    const deny = { effect: "deny", actions: ["s3:*"], resources: ["*"] } as const;
    const link = { name: "Notes", type: "scrim.aws.Dynamo", properties: {}, permissions: [read] };
    const token = new Sensitive("s");
    const lowered = lowerAws(
      fn({ links: [link], permissions: [read, deny], environment: { TOKEN: token } }),
      context,
    );
    const { statements } = goal(lowered, "aws:role::Worker")?.inputs ?? {};
    expect(statements).toEqual([
      {
        ...{ effect: "allow", actions: ["logs:CreateLogStream", "logs:PutLogEvents"] },
        resources: [expect.any(Computed)],
      },
      read,
      deny,
    ]);
    const { inputs } = goal(lowered, "aws:function::Worker") ?? {};
    expect(inputs?.["environment"]).toEqual({ TOKEN: token });
    expect(inputs?.["links"]).toEqual({ Notes: { type: "scrim.aws.Dynamo" } });
  });

  it("lets anyone call a function by its URL, and only by it", () => {
    const lowered = lowerAws(fn({ url: { cors: null } }), context);
    expect(urns(lowered)).toContain("aws:function-url::Worker");
    expect(goal(lowered, "aws:permission::Worker/url")?.inputs).toMatchObject({
      ...{ action: "lambda:InvokeFunctionUrl", principal: "*", urlAuthType: "NONE" },
    });
    expect(goal(lowered, "aws:permission::Worker/via-url")?.inputs).toMatchObject({
      ...{ action: "lambda:InvokeFunction", principal: "*", viaUrl: true },
    });
  });

  it("makes an API with its stage, and a function and what leads to it for each route", () => {
    const lowered = lowerAws(api, context);
    expect(urns(lowered)).toEqual([
      ...["aws:api::Api", "aws:api-stage::Api"],
      ...["GET /notes", "POST /notes"].flatMap((route) =>
        ["role", "function", "permission", "integration", "route"].map(
          (type) => `aws:${type}::Api/${route}`,
        ),
      ),
    ]);
    const route = goal(lowered, "aws:route::Api/POST /notes");
    expect(route?.inputs["auth"]).toBe("Auth");
    expect(route?.dependsOn).toEqual(["aws:permission::Api/POST /notes"]);
    const permission = goal(lowered, "aws:permission::Api/GET /notes")?.inputs["sourceArn"];
    const arn = permission instanceof Computed ? permission.compute(["arn:x:api1"]) : permission;
    expect(arn).toBe("arn:x:api1/*");
  });

  it("gives goals that fit together", () => {
    const lowered = [fn({ url: { cors: null } }), api, bucket, table].map((node) =>
      lowerAws(node, context),
    );
    const [logs] = lowered.flatMap(({ shared = [] }) => shared);
    const goals = lowered.flatMap((each) => each.goals);
    const graph = buildGraph(logs === undefined ? goals : [logs, ...goals]);
    expect(graph.order).toHaveLength(goals.length + 1);
    const order = [...graph.order];
    expect(order.indexOf(urnOf("aws:role", "Worker"))).toBeLessThan(
      order.indexOf(urnOf("aws:function", "Worker")),
    );
  });

  it("hands the settings of buckets and tables on", () => {
    expect(goal(lowerAws(bucket, context), "aws:bucket::Uploads")?.inputs).toEqual({
      ...{ cors: null, versioning: true },
    });
    expect(goal(lowerAws(table, context), "aws:table::Notes")?.inputs).toMatchObject({
      ...{ ttl: "expires", stream: "new-image", deletionProtection: false },
    });
  });

  it("carries aliases over to every resource of a component", () => {
    const { goals } = lowerAws({ ...api, aliases: ["Old"] }, context);
    for (const { urn, aliases } of goals) expect(aliases).toEqual([urn.replace("::Api", "::Old")]);
  });

  it("applies transforms, and refuses what it would ignore", () => {
    const slow = lowerAws(fn({ transform: { function: { timeoutMs: 1 } } }), context);
    expect(goal(slow, "aws:function::Worker")?.inputs["timeoutMs"]).toBe(1);
    const unknown = fn({ transform: { role: { path: "/x/" } } });
    expect(() => lowerAws(unknown, context)).toThrow("transform.role of Worker sets path");
    const logs = fn({ transform: { logGroup: { retentionDays: 1 } } });
    expect(() => lowerAws(logs, context)).toThrow("a log group of its own");
  });

  it("refuses an authorizer of the gateway's by name", () => {
    const auth = { ...base, kind: "Auth" as const, name: "Auth", authorizer: spec };
    expect(lowerAws({ ...auth, mode: "composed" }, context)).toEqual({ goals: [], outputs: {} });
    expect(() => lowerAws({ ...auth, mode: "gateway" }, context)).toThrow(/Auth asks for the mode/);
  });

  it("makes a user pool with the domain of its login, and its clients", () => {
    const pool: CognitoUserPoolNode = {
      ...{ ...base, kind: "CognitoUserPool", name: "Users", clients: ["Web"] },
      ...{ usernames: ["email"], signInAliases: [], verify: null },
      domain: { kind: "prefix", prefix: null },
    };
    const lowered = lowerAws(pool, context);
    expect(urns(lowered)).toEqual(["aws:user-pool::Users", "aws:user-pool-domain::Users"]);
    expect(lowered.outputs["domain"]).toEqual(
      new Ref(urnOf("aws:user-pool-domain", "Users"), "domain"),
    );
    expect(lowered.outputs["clientIds"]).toEqual([
      new Ref(urnOf("aws:user-pool-client", "Web"), "id"),
    ]);
    const custom = { kind: "custom", name: "login.example.com" } as const;
    expect(() => lowerAws({ ...pool, domain: custom }, context)).toThrow(/a domain of its own/);
  });

  it("keeps the secret of a client from being read in plans and state", () => {
    const client: CognitoUserPoolClientNode = {
      ...{ ...base, kind: "CognitoUserPoolClient", name: "Web", generateSecret: true },
      ...{ pool: "eu-central-1_abc", callbackUrls: [], logoutUrls: [] },
      ...{ authFlows: ["USER_SRP_AUTH"], scopes: ["openid"] },
    };
    const { outputs } = lowerAws(client, context);
    const secret = outputs["secret"];
    const opened = secret instanceof Computed ? secret.compute(["x"]) : secret;
    expect(opened).toEqual(new Sensitive("x"));
  });
});
