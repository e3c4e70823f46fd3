import { access } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  clientSettings,
  createDataPlaneFixture,
  type DataPlaneFixture,
  openPlane,
} from "./data-plane.fixture.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";

let fixture: DataPlaneFixture;

beforeEach(async () => {
  fixture = await createDataPlaneFixture();
});

afterEach(async () => {
  await fixture.close();
});

function clientOf(stageKey: string): S3Client {
  return new S3Client(clientSettings(fixture.endpoint, stageKey));
}

describe("the data plane", () => {
  it("keeps two stages apart that have a bucket of the same name", async () => {
    const Bucket = "uploads";
    for (const stageKey of ["one", "two"]) {
      const instance = await fixture.plane.instance(stageKey, "local:bucket");
      await instance.put("local:bucket", Bucket, {});
      const s3 = clientOf(stageKey);
      await s3.send(new PutObjectCommand({ Bucket, Key: "k", Body: `of ${stageKey}` }));
      s3.destroy();
    }
    for (const stageKey of ["one", "two"]) {
      const s3 = clientOf(stageKey);
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "k" }));
      expect(await Body?.transformToString()).toBe(`of ${stageKey}`);
      s3.destroy();
    }
  });

  it("answers on the same port with the same data after a restart", async () => {
    const instance = await fixture.plane.instance("one", "local:bucket");
    await instance.put("local:bucket", "b", {});
    const s3 = clientOf("one");
    await s3.send(new PutObjectCommand({ Bucket: "b", Key: "k", Body: "x" }));
    s3.destroy();
    await fixture.restart();
    const again = clientOf("one");
    const { Body } = await again.send(new GetObjectCommand({ Bucket: "b", Key: "k" }));
    expect(await Body?.transformToString()).toBe("x");
    again.destroy();
  });

  it("takes another port when its own is taken", async () => {
    const other = createServer();
    const port = await listenOnLoopback(other, null);
    const plane = await openPlane(fixture.folder, port);
    expect(plane.port).not.toBe(port);
    await plane.close();
    other.close();
  });

  it("forgets a stage with all its data, and only that one", async () => {
    for (const stageKey of ["one", "two"]) {
      const bucket = await fixture.plane.instance(stageKey, "local:bucket");
      await bucket.put("local:bucket", "b", {});
      const table = await fixture.plane.instance(stageKey, "local:table");
      await table.put("local:table", "notes", {
        fields: { id: "string" },
        primaryIndex: { hashKey: "id", rangeKey: null },
      });
    }
    await fixture.plane.removeStage("one");
    for (const service of ["s3", "dynamodb"]) {
      await expect(access(join(fixture.folder, "one", service))).rejects.toThrow(/ENOENT/);
      await access(join(fixture.folder, "two", service));
    }
    const again = await fixture.plane.instance("one", "local:bucket");
    expect(await again.names("local:bucket")).toEqual([]);
  });

  it("makes, changes and deletes the same thing twice with the same answer", async () => {
    const instance = await fixture.plane.instance("one", "local:bucket");
    const first = await instance.put("local:bucket", "b", { cors: null, versioning: false });
    expect(first).toEqual({ name: "b", arn: "arn:aws:s3:::b" });
    expect(await instance.put("local:bucket", "b", { versioning: false })).toEqual(first);
    await expect(instance.put("local:bucket", "b", { versioning: true })).rejects.toThrow(
      /cannot have versioning/,
    );
    await instance.delete("local:bucket", "b");
    await instance.delete("local:bucket", "b");
    expect(await instance.names("local:bucket")).toEqual([]);
  });

  it("names what it does not serve", async () => {
    await expect(fixture.plane.instance("one", "local:queue")).rejects.toThrow(/local:queue/);
    const response = await fetch(fixture.endpoint, {
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=KEY-one/20261120/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=${"0".repeat(64)}`,
        "x-amz-date": "20261120T000000Z",
      },
    });
    expect([response.status, await response.text()]).toEqual([
      501,
      expect.stringContaining("services other than S3, DynamoDB and Cognito"),
    ]);
  });
});
