import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe } from "vitest";
import { S3Store } from "../../src/clouds/aws/home/s3-store.ts";
import type { Store } from "../../src/home/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import {
  type FaultProxy,
  type ProxyFault,
  startFaultProxy,
} from "../../src/testing/fault-proxy.ts";
import { settledStore } from "../../src/testing/settled-store.ts";
import { describeStore } from "../../src/testing/store-conformance.ts";
import { type Emulator, hasEmulator, startEmulator } from "./emulators.ts";

const ACCOUNT = "123456789012";
let moto: Emulator;
let proxy: FaultProxy;
let buckets = 0;

function settingsOf(endpoint: string) {
  return {
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
}

async function makeBucket(): Promise<string> {
  buckets += 1;
  const bucket = `scrim-home-${buckets}`;
  const client = new S3Client(settingsOf(moto.endpoint));
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return bucket;
}

function open(bucket: string, endpoint: string): Store {
  return new S3Store({
    client: new S3Client({ ...settingsOf(endpoint), maxAttempts: 5 }),
    onceClient: new S3Client({ ...settingsOf(endpoint), maxAttempts: 1 }),
    bucket,
    prefix: "",
    clock: systemClock,
    owner: ACCOUNT,
    explain: (error) => (error instanceof Error ? error : new Error(String(error))),
  });
}

describe.skipIf(!hasEmulator("moto"))("a home on moto's S3", () => {
  beforeAll(async () => {
    moto = await startEmulator("moto");
    proxy = await startFaultProxy(moto.endpoint);
  });

  afterAll(async () => {
    await proxy?.close();
    await moto?.close();
  });

  describeStore("S3 of moto", async () => {
    const bucket = await makeBucket();
    return { open: () => open(bucket, moto.endpoint), cleanUp: async () => undefined };
  });

  describeStore("S3 of moto, over a connection that loses every third answer", async () => {
    const bucket = await makeBucket();
    const faults: readonly ProxyFault[] = ["none", "lost", "none", "none", "dropped", "none"];
    proxy.script(({ index }) => faults[index % faults.length] ?? "none");
    return {
      open: () => settledStore(open(bucket, proxy.endpoint)),
      cleanUp: async () => proxy.script(() => "none"),
    };
  });
});
