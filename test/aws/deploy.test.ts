import { ApiGatewayV2Client, GetApisCommand } from "@aws-sdk/client-apigatewayv2";
import { IAMClient, ListRolesCommand } from "@aws-sdk/client-iam";
import { LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { type Emulator, hasEmulator, startEmulator } from "./emulators.ts";

const CONFIG = `/// <reference types="scrim/config" />
export default $config({
  app() {
    return { name: "hello", home: "aws", removal: "remove" };
  },
  async run() {
    const table = new scrim.aws.Dynamo("Notes", {
      fields: { id: "string" },
      primaryIndex: { hashKey: "id" },
    });
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", { handler: "src/hello.get", link: [table] });
    return { url: api.url };
  },
});
`;

const HANDLER = `import { Resource } from "scrim";
export async function get() {
  return { statusCode: 200, body: "hello from " + typeof Resource.Notes.name };
}
`;

let aws: Emulator;
let project: Project;

describe.skipIf(!hasEmulator("ministack"))("a stage on AWS", () => {
  beforeAll(async () => {
    aws = await startEmulator("ministack");
    project = makeProject({ "scrim.config.ts": CONFIG, "src/hello.ts": HANDLER });
  });
  afterAll(async () => {
    await project?.dispose();
    await aws?.close();
  });

  const run = (...args: readonly string[]) =>
    project.scrim([...args, "--stage", "dev"], { env: aws.env, timeoutMs: 120_000 });

  function settings() {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    return { endpoint: aws.endpoint, region: "eu-central-1", credentials };
  }

  it("is deployed, with its place told first", { timeout: 120_000 }, async () => {
    const deployed = await run("deploy");
    expect(deployed, deployed.stderr).toMatchObject({ exit: 0 });
    const place = "aws, account 000000000000, region eu-central-1";
    expect(deployed.stdout + deployed.stderr).toContain(
      `New stage: dev will be created in ${place}`,
    );
  });

  it("answers over HTTP with what is linked to it", async () => {
    const { Items = [] } = await new ApiGatewayV2Client(settings()).send(new GetApisCommand({}));
    const path = `/_aws/execute-api/${Items[0]?.ApiId}/$default/`;
    const response = await fetch(aws.endpoint + path);
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 200,
      body: "hello from string",
    });
  });

  it("is not changed by a second deploy, and listed", async () => {
    const again = await run("deploy", "--json");
    expect(again, again.stderr).toMatchObject({ exit: 0 });
    const listed = await project.scrim(["state", "list", "--json"], { env: aws.env });
    expect(JSON.parse(listed.stdout).stages).toMatchObject([
      { app: "hello", stage: "dev", status: "deployed" },
    ]);
  });

  it("is refused in another region, whose home knows nothing of it", async () => {
    const env = { ...aws.env, AWS_REGION: "us-east-1" };
    const removed = await project.scrim(["remove", "--stage", "dev"], { env });
    expect(removed).toMatchObject({ exit: 1 });
    expect(removed.stderr).toContain("was not found");
  });

  it("leaves nothing behind when it is removed", { timeout: 120_000 }, async () => {
    const removed = await run("remove");
    expect(removed, removed.stderr).toMatchObject({ exit: 0 });
    const { Functions } = await new LambdaClient(settings()).send(new ListFunctionsCommand({}));
    const { Items } = await new ApiGatewayV2Client(settings()).send(new GetApisCommand({}));
    const { Roles } = await new IAMClient(settings()).send(new ListRolesCommand({}));
    expect({ Functions, Items, Roles }).toEqual({ Functions: [], Items: [], Roles: [] });
  });
});
