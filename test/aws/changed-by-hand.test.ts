import { UpdateFunctionConfigurationCommand } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, hasEmulator, startEmulator } from "./emulators.ts";
import { ResourceBench, ready } from "./resource-bench.ts";

const SERVICE = { service: "lambda.amazonaws.com" };
const READ = { effect: "allow", actions: ["s3:GetObject"], resources: ["*"] };

describe.skipIf(!hasEmulator("ministack"))("what was changed by hand on AWS", () => {
  let emulator: Emulator;
  let bench: ResourceBench;

  beforeAll(async () => {
    emulator = await startEmulator("ministack");
    bench = new ResourceBench("ministack", emulator.endpoint);
  });

  afterAll(async () => {
    await bench?.clients.close();
    await emulator?.close();
  });

  it("is told of a function, and put right", async () => {
    const role = await bench.create("aws:role", "Role", { ...SERVICE, statements: [READ] });
    const inputs = {
      ...{ bundle: "one", handler: "index.handler", runtime: "nodejs22.x" },
      ...{ architecture: "arm64", description: "", timeoutMs: 20_000, memoryMb: 1_024 },
      ...{ role: role.outputs["arn"] ?? "", logGroup: "/scrim/shop/Dev_1", concurrency: null },
      ...{ environment: { TOKEN: "a" }, links: { Limits: { type: "x", max: 1 } } },
    };
    const made = await bench.create("aws:function", "Worker", inputs, [role]);
    const lambda = await bench.clients.lambda();
    await lambda.send(
      new UpdateFunctionConfigurationCommand({
        ...{ FunctionName: made.id, MemorySize: 256 },
        Environment: { Variables: { TOKEN: "b" } },
      }),
    );
    const seen = await bench.look(made.urn, made.id);
    expect(seen).toMatchObject({ inputs: { memoryMb: 256, environment: { TOKEN: "b" } } });
    ready(await bench.update(made, inputs));
    expect(await bench.look(made.urn, made.id)).toMatchObject({
      inputs: { memoryMb: 1_024, environment: { TOKEN: "a" } },
    });
  });

  it("is told of a role that may do more, and taken back", async () => {
    const made = await bench.create("aws:role", "Reader", { ...SERVICE, statements: [READ] });
    const all = { effect: "allow", actions: ["*"], resources: ["*"] };
    ready(await bench.update(made, { ...SERVICE, statements: [all] }));
    const seen = await bench.look(made.urn, made.id);
    expect(seen).toMatchObject({ inputs: { statements: [all] } });
    ready(await bench.update(made, { ...SERVICE, statements: [READ] }));
    const after = await bench.look(made.urn, made.id);
    expect(after).toMatchObject({ inputs: { statements: [READ] } });
  });
});
