import { CreateApiCommand, GetApisCommand } from "@aws-sdk/client-apigatewayv2";
import { CreateRoleCommand } from "@aws-sdk/client-iam";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../system/clock.ts";
import { type FaultProxy, startFaultProxy } from "../../../testing/fault-proxy.ts";
import { createClients } from "./create-clients.ts";

let service: FaultProxy;
let clients: ReturnType<typeof createClients>;

beforeEach(async () => {
  service = await startFaultProxy("http://127.0.0.1:9");
  const credentials = async () => ({ accessKeyId: "test", secretAccessKey: "test" });
  clients = createClients(
    {
      id: "123456789012",
      partition: "aws",
      region: "eu-central-1",
      profile: null,
      endpoint: service.endpoint,
      credentials,
    },
    systemClock,
  );
});

afterEach(async () => {
  await clients.close();
  await service.close();
});

const json = { "content-type": "application/json" };

it("repeats a read whose answer is lost", async () => {
  service.script(({ index }) =>
    index < 2 ? "dropped" : { status: 200, body: '{"items":[]}', headers: json, served: false },
  );
  const client = await clients.apigatewayv2();
  expect((await client.send(new GetApisCommand({}))).Items).toEqual([]);
  expect(service.count).toBe(3);
});

it("sends a creation that would make a second thing only once when its answer is lost", async () => {
  service.script(() => ({ status: 500, body: "{}", headers: json, served: false }));
  const client = await clients.apigatewayv2();
  const create = client.send(new CreateApiCommand({ Name: "n", ProtocolType: "HTTP" }));
  await expect(create).rejects.toMatchObject({ name: "LostAnswer" });
  expect(service.count).toBe(1);
});

it("repeats such a creation when it was throttled, which says that nothing was made", async () => {
  const throttled = { ...json, "x-amzn-errortype": "TooManyRequestsException" };
  service.script(({ index }) =>
    index === 0
      ? { status: 429, body: '{"message":"slow"}', headers: throttled, served: false }
      : { status: 201, body: '{"apiId":"a1"}', headers: json, served: false },
  );
  const client = await clients.apigatewayv2();
  const { ApiId } = await client.send(new CreateApiCommand({ Name: "n", ProtocolType: "HTTP" }));
  expect(ApiId).toBe("a1");
  expect(service.count).toBe(2);
});

it("gives one client a service, and opens none that is not asked for", async () => {
  expect(await clients.iam()).toBe(await clients.iam());
  service.script(() => ({ status: 403, body: "<Error/>", served: false }));
  const role = new CreateRoleCommand({ RoleName: "r", AssumeRolePolicyDocument: "{}" });
  await expect((await clients.iam()).send(role)).rejects.toThrow();
  expect(service.count).toBe(1);
});
