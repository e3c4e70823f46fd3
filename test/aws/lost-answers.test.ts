import { ApiGatewayV2Client, GetApisCommand, GetRoutesCommand } from "@aws-sdk/client-apigatewayv2";
import { LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FaultProxy,
  type ProxiedRequest,
  type ProxyFault,
  startFaultProxy,
} from "../../src/testing/fault-proxy.ts";
import { makeProject, type Project } from "../support/project.ts";
import { type Emulator, hasEmulator, startEmulator } from "./emulators.ts";

const CONFIG = `/// <reference types="scrim/config" />
export default $config({
  app() {
    return { name: "hello", home: "aws", removal: "remove" };
  },
  async run() {
    const bucket = new scrim.aws.Bucket("Files");
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /a", { handler: "src/hello.get", link: [bucket] });
    api.route("GET /b", "src/hello.get");
  },
});
`;

const HANDLER = "export async function get() {\n  return { statusCode: 200, body: '' };\n}\n";

let aws: Emulator;
let proxy: FaultProxy;
let project: Project;

/** What each kind of service says of a token that has expired. */
function expired({ path, headers }: ProxiedRequest): ProxyFault {
  const speaksJson = headers["x-amz-target"] !== undefined || /^\/(?:20\d\d-|v2\/)/.test(path);
  const text = "The security token included in the request is expired";
  if (speaksJson) {
    const body = JSON.stringify({ __type: "ExpiredTokenException", message: text });
    const type = { "x-amzn-errortype": "ExpiredTokenException" };
    return { status: 403, body, headers: type, served: false };
  }
  const error = `<Code>ExpiredToken</Code><Message>${text}</Message>`;
  const isS3 = headers["x-amz-content-sha256"] !== undefined;
  const body = isS3 ? `<Error>${error}</Error>` : `<R><Error>${error}</Error></R>`;
  return { status: 403, body, headers: { "content-type": "text/xml" }, served: false };
}

describe.skipIf(!hasEmulator("ministack"))("a connection to AWS that loses answers", () => {
  beforeAll(async () => {
    aws = await startEmulator("ministack");
    proxy = await startFaultProxy(aws.endpoint);
    project = makeProject({ "scrim.config.ts": CONFIG, "src/hello.ts": HANDLER });
  });
  afterAll(async () => {
    await project?.dispose();
    await proxy?.close();
    await aws?.close();
  });

  /** Runs a command again until it says that it is done, which takes a few runs at most. */
  async function untilDone(...args: readonly string[]): Promise<void> {
    const env = { ...aws.env, AWS_ENDPOINT_URL: proxy.endpoint };
    let last = "";
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { exit, stderr } = await project.scrim(args, { env, timeoutMs: 120_000 });
      if (exit === 0) return;
      last = stderr;
    }
    throw new Error(`${args.join(" ")} is never done: ${last}`);
  }

  async function things() {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const settings = { endpoint: aws.endpoint, region: "eu-central-1", credentials };
    const gateway = new ApiGatewayV2Client(settings);
    const { Items: apis = [] } = await gateway.send(new GetApisCommand({}));
    const routes = await Promise.all(
      apis.map(({ ApiId }) => gateway.send(new GetRoutesCommand({ ApiId }))),
    );
    const { Functions = [] } = await new LambdaClient(settings).send(new ListFunctionsCommand({}));
    return {
      apis: apis.length,
      routes: routes.flatMap(({ Items = [] }) => Items).length,
      functions: Functions.length,
    };
  }

  it("makes one of everything, and removes it again", { timeout: 240_000 }, async () => {
    const writes = new Set(["POST", "PUT", "DELETE", "PATCH"]);
    let written = 0;
    proxy.script(({ method }) => {
      if (!writes.has(method)) return "none";
      written += 1;
      return written % 3 === 0 ? "lost" : "none";
    });
    await untilDone("deploy", "--stage", "dev");
    expect(written).toBeGreaterThan(20);
    expect(await things()).toEqual({ apis: 1, routes: 2, functions: 2 });
    await untilDone("remove", "--stage", "dev");
    expect(await things()).toEqual({ apis: 0, routes: 0, functions: 0 });
  });

  it("finishes with new credentials what it began with old", { timeout: 240_000 }, async () => {
    let requests = 0;
    proxy.script((request) => {
      requests += 1;
      return requests > 45 ? expired(request) : "none";
    });
    const env = { ...aws.env, AWS_ENDPOINT_URL: proxy.endpoint };
    const stopped = await project.scrim(["deploy", "--stage", "dev"], { env, timeoutMs: 120_000 });
    expect(stopped.exit, stopped.stderr).toBe(4);
    expect(stopped.stderr).toContain("have expired");
    expect(requests).toBeLessThan(200);
    proxy.script(() => "none");
    await untilDone("deploy", "--stage", "dev");
    expect(await things()).toEqual({ apis: 1, routes: 2, functions: 2 });
    await untilDone("remove", "--stage", "dev");
    expect(await things()).toEqual({ apis: 0, routes: 0, functions: 0 });
  });
});
