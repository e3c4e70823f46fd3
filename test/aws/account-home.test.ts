import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  ListBucketsCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { GetParametersByPathCommand, SSMClient } from "@aws-sdk/client-ssm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openSite } from "../../src/clouds/registry.ts";
import { NO_SETTINGS, type Site, type SiteOptions } from "../../src/clouds/site.ts";
import { StoredKeyRing } from "../../src/home/keys/stored-key-ring.ts";
import { openHome } from "../../src/home/open-home.ts";
import { MemoryStore } from "../../src/home/stores/memory.ts";
import { systemClock } from "../../src/system/clock.ts";
import { systemRandom } from "../../src/system/random.ts";
import { startFaultProxy } from "../../src/testing/fault-proxy.ts";
import { describeStore } from "../../src/testing/store-conformance.ts";
import { makeProject } from "../support/project.ts";
import { type Emulator, hasEmulator, startEmulator } from "./emulators.ts";

const BUCKET = "scrim-home-123456789012-eu-central-1-an";

let moto: Emulator;

function openFor(home: string, env: Readonly<Record<string, string>>): Promise<Site> {
  const options: SiteOptions = {
    homeFolder: "/nowhere",
    machineKeys: new StoredKeyRing(new MemoryStore(), systemRandom, systemClock),
    env: {},
    configEnv: env,
    clock: systemClock,
    random: systemRandom,
    settings: NO_SETTINGS,
  };
  return openSite(home, options);
}

function clientSettings() {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  return { endpoint: moto.endpoint, region: "eu-central-1", forcePathStyle: true, credentials };
}

describe.skipIf(!hasEmulator("moto"))("the home of an AWS account", () => {
  beforeAll(async () => {
    moto = await startEmulator("moto");
  });
  afterAll(() => moto?.close());
  beforeEach(() => moto.reset());

  describeStore("the bucket of an account", async () => {
    await moto.reset();
    const { store } = await openFor("aws", moto.env);
    return { open: () => store, cleanUp: async () => undefined };
  });

  it("is a private, versioned bucket that the first write makes", async () => {
    const s3 = new S3Client(clientSettings());
    const site = await openFor("aws", moto.env);
    expect(await site.store.list("", 10)).toEqual([]);
    expect((await s3.send(new ListBucketsCommand({}))).Buckets).toEqual([]);
    expect(await site.store.putIfAbsent("state/x", Buffer.from("1"))).toBe("created");
    const Bucket = BUCKET;
    expect((await s3.send(new ListBucketsCommand({}))).Buckets).toMatchObject([{ Name: Bucket }]);
    expect(await s3.send(new GetBucketVersioningCommand({ Bucket }))).toMatchObject({
      Status: "Enabled",
    });
    expect(await s3.send(new GetPublicAccessBlockCommand({ Bucket }))).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    const { TagSet } = await s3.send(new GetBucketTaggingCommand({ Bucket }));
    expect(TagSet).toEqual([{ Key: "scrim:home", Value: "1" }]);
    const { Rules } = await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    expect(Rules).toHaveLength(1);
  });

  it("is finished by the next command when the one that made the bucket died halfway", async () => {
    const proxy = await startFaultProxy(moto.endpoint);
    onTestFinished(() => proxy.close());
    const env = { ...moto.env, AWS_ENDPOINT_URL: proxy.endpoint };
    const dead = await openFor("aws", env);
    const denied = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>";
    proxy.script(({ method, path }) =>
      method === "PUT" && path.includes("?versioning")
        ? { status: 403, body: denied, served: false }
        : "none",
    );
    await expect(dead.store.putIfAbsent("state/x", Buffer.from("1"))).rejects.toMatchObject({
      exit: 4,
      diagnostics: [{ code: "AWS_ACCESS_DENIED" }],
    });
    expect(await dead.store.get("state/x")).toBeNull();
    proxy.script(() => "none");
    const next = await openFor("aws", env);
    expect(await next.store.putIfAbsent("state/x", Buffer.from("1"))).toBe("created");
    const s3 = new S3Client(clientSettings());
    expect(await s3.send(new GetBucketVersioningCommand({ Bucket: BUCKET }))).toMatchObject({
      Status: "Enabled",
    });
  });

  it("is made once by several commands at the same time", async () => {
    const sites = await Promise.all([1, 2, 3, 4].map(() => openFor("aws", moto.env)));
    const answers = await Promise.all(
      sites.map(({ store }, index) => store.putIfAbsent("race", Buffer.from(`${index}`))),
    );
    expect(answers.filter((answer) => answer === "created")).toHaveLength(1);
  });

  it("keeps keys in the parameter store, one a name, and asks for them once", async () => {
    const proxy = await startFaultProxy(moto.endpoint);
    onTestFinished(() => proxy.close());
    const site = await openFor("aws", { ...moto.env, AWS_ENDPOINT_URL: proxy.endpoint });
    const [one, other] = await Promise.all([site.keys.create("Shop"), site.keys.create("Shop")]);
    expect(other?.id).toBe(one?.id);
    const ssm = new SSMClient(clientSettings());
    const { Parameters = [] } = await ssm.send(
      new GetParametersByPathCommand({ Path: "/scrim/keys", Recursive: true }),
    );
    expect(Parameters).toMatchObject([{ Type: "SecureString" }]);
    expect(Parameters[0]?.Name).toMatch(/^\/scrim\/keys\/a-\.shop\/[\d-]+$/);
    const fresh = await openFor("aws", { ...moto.env, AWS_ENDPOINT_URL: proxy.endpoint });
    const before = proxy.count;
    expect((await fresh.keys.current("Shop"))?.id).toBe(one?.id);
    expect((await fresh.keys.get("Shop", one?.id ?? ""))?.id).toBe(one?.id);
    expect(await fresh.keys.ids("Shop")).toEqual([one?.id]);
    expect(proxy.count - before).toBe(1);
    expect(await fresh.keys.current("shop")).toBeNull();
    const added = await fresh.keys.add("Shop");
    expect(await fresh.keys.ids("Shop")).toEqual([added.id, one?.id]);
    const later = await openFor("aws", moto.env);
    expect(await later.keys.export("Shop")).toBe(await fresh.keys.export("Shop"));
  });

  it("keeps secrets that another machine reads with the account's key", async () => {
    const [here, there] = await Promise.all([openFor("aws", moto.env), openFor("aws", moto.env)]);
    const write = openHome({ ...here, clock: systemClock, random: systemRandom });
    const read = openHome({ ...there, clock: systemClock, random: systemRandom });
    await write.secrets("shop", "dev").commit(new Map([["Token", "s3cret"]]));
    expect((await read.secrets("shop", "dev").read()).values.get("Token")).toBe("s3cret");
  });

  it("is listed with those of the account's other regions", async () => {
    const regions = ["eu-central-1", "us-east-1"];
    for (const AWS_REGION of regions) {
      const site = await openFor("aws", { ...moto.env, AWS_REGION });
      const home = openHome({ ...site, clock: systemClock, random: systemRandom });
      await home.secrets("shop", `prod-${AWS_REGION}`).commit(new Map([["A", "1"]]));
    }
    const project = makeProject({});
    onTestFinished(() => project.dispose());
    const list = ["state", "list", "--home", "aws"];
    const listed = await project.scrim([...list, "--json"], { env: moto.env });
    expect(JSON.parse(listed.stdout).stages).toMatchObject(
      regions.map((region) => ({ app: "shop", stage: `prod-${region}`, region })),
    );
    expect((await project.scrim(list, { env: moto.env })).stdout).toMatch(/Stage +Region/);
  });

  it("in a bucket of one's own is refused when the bucket is not there", async () => {
    const { store } = await openFor(`s3://my-state/team?endpoint=${moto.endpoint}`, moto.env);
    const missing = { exit: 6, diagnostics: [{ code: "HOME_BUCKET_MISSING" }] };
    await expect(store.get("k")).rejects.toMatchObject(missing);
    await expect(store.putIfAbsent("k", new Uint8Array(1))).rejects.toMatchObject(missing);
  });

  it("is looked into by the command line, from a project and without one", async () => {
    const project = makeProject({
      "scrim.config.ts": `export default $config({
  app() {
    return {
      name: "hello",
      home: "aws",
      removal: "remove",
      providers: { aws: { region: "eu-central-1", allowedAccountIds: ["123456789012"] } },
    };
  },
  async run() {},
});
`,
    });
    onTestFinished(() => project.dispose());
    const { AWS_REGION: _, ...env } = moto.env;
    const set = await project.scrim(["secret", "set", "Token", "x", "--stage", "dev"], { env });
    expect(set, set.stderr).toMatchObject({ exit: 0 });
    expect(set.stderr).not.toContain("Warning");
    const listed = await project.scrim(["state", "list", "--json"], { env });
    const stage = { app: "hello", stage: "dev", status: "not deployed" };
    expect(JSON.parse(listed.stdout).stages).toMatchObject([stage]);
    const elsewhere = { cwd: "/", env: { ...env, AWS_REGION: "eu-central-1" } };
    const named = await project.scrim(["state", "list", "--home", "aws", "--json"], elsewhere);
    expect(JSON.parse(named.stdout).stages).toMatchObject([stage]);
    const local = await project.scrim(["state", "list", "--home", "local"], { env });
    expect(local.stdout).toContain("No stages");
  });
});
