import { S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { commitSlot } from "../../../home/log/commit-slot.ts";
import { type Store, UnknownOutcome } from "../../../home/store.ts";
import { systemClock } from "../../../system/clock.ts";
import { type FaultProxy, type ProxyFault, startFaultProxy } from "../../../testing/fault-proxy.ts";
import { settledStore } from "../../../testing/settled-store.ts";
import { describeStore } from "../../../testing/store-conformance.ts";
import {
  clientSettings,
  createDataPlaneFixture,
  type DataPlaneFixture,
} from "../../local/server/data-plane.fixture.ts";
import { S3Store, type S3StoreOptions } from "./s3-store.ts";

let fixture: DataPlaneFixture;
let proxy: FaultProxy;
let buckets = 0;

beforeAll(async () => {
  fixture = await createDataPlaneFixture();
  proxy = await startFaultProxy(fixture.endpoint);
});

afterAll(async () => {
  await proxy.close();
  await fixture.close();
});

async function makeBucket(): Promise<string> {
  buckets += 1;
  const bucket = `home-${buckets}`;
  const instance = await fixture.plane.instance("one", "local:bucket");
  await instance.put("local:bucket", bucket, {});
  return bucket;
}

function open(bucket: string, endpoint: string, more: Partial<S3StoreOptions> = {}): Store {
  const settings = { ...clientSettings(endpoint, "one"), forcePathStyle: true };
  const client = new S3Client({ ...settings, maxAttempts: 5 });
  const onceClient = new S3Client(settings);
  return new S3Store({
    client,
    onceClient,
    bucket,
    prefix: "team/",
    clock: systemClock,
    owner: null,
    explain: (error) => (error instanceof Error ? error : new Error(String(error))),
    ...more,
  });
}

describeStore("S3, served by the local cloud", async () => {
  const bucket = await makeBucket();
  return { open: () => open(bucket, fixture.endpoint), cleanUp: async () => undefined };
});

describeStore("S3, over a connection that loses every third answer", async () => {
  const bucket = await makeBucket();
  const faults: readonly ProxyFault[] = ["none", "lost", "none", "none", "dropped", "none"];
  proxy.script(({ index }) => faults[index % faults.length] ?? "none");
  return {
    open: () => settledStore(open(bucket, proxy.endpoint)),
    cleanUp: async () => proxy.script(() => "none"),
  };
});

const CONFLICT: ProxyFault = {
  status: 409,
  served: false,
  headers: { "content-type": "application/xml" },
  body: "<Error><Code>ConditionalRequestConflict</Code><Message>busy</Message></Error>",
};

const INTERNAL_ERROR: ProxyFault = {
  status: 500,
  served: true,
  headers: { "content-type": "application/xml" },
  body: "<Error><Code>InternalError</Code><Message>We encountered an error</Message></Error>",
};

/** Lets the first `times` creations of a key fail. */
function failCreates(key: string, fault: ProxyFault, times: number): void {
  let left = times;
  proxy.script(({ method, path }) => {
    if (method !== "PUT" || !path.includes(`/${key}`) || left === 0) return "none";
    left -= 1;
    return fault;
  });
  onTestFinished(() => proxy.script(() => "none"));
}

describe("a store in a bucket", () => {
  it("writes below its prefix only, and beside the home what tells that it is ready", async () => {
    const bucket = await makeBucket();
    const store = open(bucket, fixture.endpoint);
    await store.putIfAbsent("state/a/1", Buffer.from("x"));
    expect(store.location).toBe(`s3://${bucket}/team/home`);
    const { ListObjectsV2Command } = await import("@aws-sdk/client-s3");
    const client = new S3Client({ ...clientSettings(fixture.endpoint, "one") });
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    expect(Contents.map(({ Key }) => Key)).toEqual([
      "team/conditional-writes.txt",
      "team/home/state/a/1",
      "team/prepared.txt",
    ]);
  });

  it("tries again while another write of the key is under way", async () => {
    const store = open(await makeBucket(), proxy.endpoint);
    failCreates("busy", CONFLICT, 3);
    expect(await store.putIfAbsent("busy", Buffer.from("x"))).toBe("created");
  });

  it.each<[string, ProxyFault]>([
    ["an error after the write", INTERNAL_ERROR],
    ["a lost answer", "lost"],
    ["a lost request", "dropped"],
  ])("says that it does not know after %s, and never sends it twice", async (_, fault) => {
    const store = open(await makeBucket(), proxy.endpoint);
    failCreates("unsure", fault, 1);
    await store.putIfAbsent("first", Buffer.from("x"));
    const before = proxy.count;
    const put = store.putIfAbsent("unsure", Buffer.from("x"));
    await expect(put).rejects.toBeInstanceOf(UnknownOutcome);
    expect(proxy.count - before).toBe(1);
    expect(await commitSlot(store, "unsure", Buffer.from("x"), systemClock)).toBe("ours");
  });

  it("refuses a store that ignores If-None-Match, and writes nothing of the home to it", async () => {
    const bucket = await makeBucket();
    const ignoring = await startFaultProxy(fixture.endpoint);
    onTestFinished(() => ignoring.close());
    const headers = { "content-type": "application/xml" };
    ignoring.script(({ method }) =>
      method === "PUT" ? { status: 200, body: "", served: false, headers } : "none",
    );
    const store = open(bucket, ignoring.endpoint);
    const refusal = { exit: 6, diagnostics: [{ code: "HOME_UNCONDITIONAL" }] };
    await expect(store.putIfAbsent("k", Buffer.from("x"))).rejects.toMatchObject(refusal);
    expect(await store.get("k")).toBeNull();
    await expect(store.putIfAbsent("k", Buffer.from("x"))).rejects.toMatchObject(refusal);
  });

  it("makes a bucket that is not there when something is written, not before", async () => {
    let made = 0;
    const bucket = `home-later-${buckets}`;
    const store = open(bucket, fixture.endpoint, {
      makeBucket: async () => {
        made += 1;
        const instance = await fixture.plane.instance("one", "local:bucket");
        await instance.put("local:bucket", bucket, {});
      },
    });
    expect(await store.get("k")).toBeNull();
    expect(await store.list("", 5)).toEqual([]);
    await store.delete("k");
    expect(made).toBe(0);
    expect(await store.putIfAbsent("k", Buffer.from("x"))).toBe("created");
    expect(made).toBe(1);
  });

  it("does not take a bucket that should be there for an empty home", async () => {
    const store = open("no-such-bucket", fixture.endpoint);
    const gone = { name: "NoSuchBucket" };
    await expect(store.get("k")).rejects.toMatchObject(gone);
    await expect(store.list("", 1)).rejects.toMatchObject(gone);
    await expect(store.putIfAbsent("k", new Uint8Array())).rejects.toMatchObject(gone);
  });

  it("lists more keys than one answer of the service holds", async () => {
    const store = open(await makeBucket(), fixture.endpoint);
    const keys = Array.from({ length: 1_030 }, (_, index) => `k/${String(index).padStart(4, "0")}`);
    const queue = [...keys];
    const write = async (): Promise<void> => {
      for (let key = queue.pop(); key !== undefined; key = queue.pop())
        await store.putIfAbsent(key, new Uint8Array(1));
    };
    await Promise.all(Array.from({ length: 16 }, write));
    expect(await store.list("k/", 5_000)).toEqual(keys);
    expect(await store.list("k/", 1_010, "k/0009")).toEqual(keys.slice(10, 1_020));
  });
});
