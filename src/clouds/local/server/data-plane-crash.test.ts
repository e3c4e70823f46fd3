import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import {
  DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  paginateScan,
} from "@aws-sdk/lib-dynamodb";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientSettings, openPlane } from "./data-plane.fixture.ts";

let work: string;
let entry: string;
let host: ChildProcess | null = null;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "scrim-crash-"));
  entry = join(work, "host.mjs");
  await symlink(join(process.cwd(), "node_modules"), join(work, "node_modules"), "junction");
  await build({
    entryPoints: [join(import.meta.dirname, "data-plane-host.fixture.ts")],
    outfile: entry,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
});

afterAll(async () => {
  host?.kill("SIGKILL");
  await rm(work, { recursive: true, force: true });
});

async function startHost(folder: string): Promise<string> {
  const child = spawn(process.execPath, [entry, folder], { stdio: ["ignore", "pipe", "inherit"] });
  host = child;
  const [line]: unknown[] = await once(child.stdout, "data");
  return `http://127.0.0.1:${String(line).trim()}`;
}

/**
 * Writes as fast as eight clients can until `enough` writes were acknowledged, then kills the host
 * in the middle.
 */
async function writeUntilKilled(endpoint: string, enough: number) {
  const s3 = new S3Client(clientSettings(endpoint, "one"));
  const docs = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings(endpoint, "one")));
  const objects = new Map<string, string>();
  const items = new Set<string>();
  let killed = false;
  const count = () => objects.size + items.size;
  const writer = async (lane: number) => {
    for (let turn = 0; !killed; turn += 1) {
      const id = `${lane}/${turn}`;
      const Body = Buffer.alloc(turn % 3 === 0 ? 300_000 : 100, id);
      await s3.send(new PutObjectCommand({ Bucket: "crash", Key: id, Body }));
      objects.set(id, createHash("md5").update(Body).digest("hex"));
      await docs.send(new PutCommand({ TableName: "crash", Item: { id, group: "all", turn } }));
      items.add(id);
      if (count() < enough || killed) continue;
      killed = true;
      host?.kill("SIGKILL");
    }
  };
  await Promise.allSettled(Array.from({ length: 8 }, (_, lane) => writer(lane)));
  s3.destroy();
  docs.destroy();
  return { objects, items };
}

async function idsIn(pages: AsyncIterable<{ Items?: Record<string, unknown>[] | undefined }>) {
  const ids: string[] = [];
  for await (const page of pages) ids.push(...(page.Items ?? []).map(({ id }) => String(id)));
  return ids.sort();
}

describe("a data plane that is killed in the middle of its work", () => {
  it.each([30, 100])("has everything it acknowledged, after %i writes", async (enough) => {
    const folder = join(work, String(enough));
    const written = await writeUntilKilled(await startHost(folder), enough);
    expect(written.objects.size + written.items.size).toBeGreaterThanOrEqual(enough);

    const plane = await openPlane(folder, null);
    const settings = clientSettings(`http://127.0.0.1:${plane.port}`, "one");
    const s3 = new S3Client(settings);
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
    const listed = await s3.send(new ListObjectsV2Command({ Bucket: "crash" }));
    const keys = (listed.Contents ?? []).map(({ Key }) => Key ?? "");
    expect(keys).toEqual(expect.arrayContaining([...written.objects.keys()]));
    for (const Key of keys) {
      const { Body, ETag } = await s3.send(new GetObjectCommand({ Bucket: "crash", Key }));
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
      const md5 = createHash("md5").update(bytes).digest("hex");
      expect(ETag).toBe(`"${md5}"`);
      expect(md5).toBe(written.objects.get(Key) ?? md5);
    }
    const items = await idsIn(paginateScan({ client }, { TableName: "crash" }));
    expect(items).toEqual(expect.arrayContaining([...written.items]));
    const indexed = paginateQuery(
      { client },
      {
        TableName: "crash",
        IndexName: "byGroup",
        KeyConditionExpression: "#group = :all",
        ExpressionAttributeNames: { "#group": "group" },
        ExpressionAttributeValues: { ":all": "all" },
      },
    );
    expect(await idsIn(indexed)).toEqual(items);

    s3.destroy();
    client.destroy();
    await plane.close();
    const files = await readdir(join(folder, "one", "s3", "blobs"), { recursive: true });
    const blobs = files.filter((name) => basename(name).length === 32);
    expect(blobs).toHaveLength(keys.length);
  });
});
