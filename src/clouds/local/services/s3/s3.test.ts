import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketAclCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientSettings,
  createDataPlaneFixture,
  type DataPlaneFixture,
} from "../../server/data-plane.fixture.ts";

const Bucket = "shop-dev-uploads-1a2b";
let fixture: DataPlaneFixture;
let s3: S3Client;

beforeAll(async () => {
  fixture = await createDataPlaneFixture();
  s3 = new S3Client(clientSettings(fixture.endpoint, "one"));
  const instance = await fixture.plane.instance("one", "local:bucket");
  await instance.put("local:bucket", Bucket, {});
});

afterAll(async () => {
  s3.destroy();
  await fixture.close();
});

async function bodyOf(Key: string): Promise<Buffer> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

describe("putting and getting objects with the SDK's defaults", () => {
  it("keeps the bytes of a Buffer, checks its CRC32 and answers with it", async () => {
    const Body = randomBytes(100_000);
    const put = await s3.send(new PutObjectCommand({ Bucket, Key: "buffer", Body }));
    expect(put.ETag).toBe(`"${createHash("md5").update(Body).digest("hex")}"`);
    expect(put.ChecksumCRC32).toMatch(/^.{8}$/);
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: "buffer" }));
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true);
    expect(got.ChecksumCRC32).toBe(put.ChecksumCRC32);
    expect(got.ContentLength).toBe(100_000);
    expect(got.ETag).toBe(put.ETag);
  });

  it("keeps the text of a string, and an empty object", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "text", Body: "h\u00e9llo" }));
    await s3.send(new PutObjectCommand({ Bucket, Key: "empty", Body: "" }));
    expect((await bodyOf("text")).toString("utf8")).toBe("h\u00e9llo");
    expect(await bodyOf("empty")).toHaveLength(0);
  });

  it("takes the aws-chunked framing off a stream", async () => {
    const body = randomBytes(3_000_000);
    const pieces = [body.subarray(0, 10), body.subarray(10, 70_000), body.subarray(70_000)];
    await s3.send(
      new PutObjectCommand({
        Bucket,
        Key: "stream",
        Body: Readable.from(pieces),
        ContentLength: body.length,
      }),
    );
    expect((await bodyOf("stream")).equals(body)).toBe(true);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "stream" }));
    expect(head.ContentLength).toBe(body.length);
    expect(head.ContentEncoding).toBeUndefined();
  });

  it("refuses a wrong CRC32 with BadDigest and stores nothing", async () => {
    const put = new PutObjectCommand({ Bucket, Key: "bad", Body: "x", ChecksumCRC32: "AAAAAA==" });
    await expect(s3.send(put)).rejects.toMatchObject({ name: "BadDigest" });
    await expect(bodyOf("bad")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it.each(["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const)(
    "checks %s against a value known from elsewhere",
    async (ChecksumAlgorithm) => {
      // Check values of "123456789": the CRC catalogue of reveng, and sha1sum and sha256sum.
      const known = {
        CRC32: "cbf43926",
        CRC32C: "e3069283",
        CRC64NVME: "ae8b14860a799888",
        SHA1: "f7c3bc1d808e04732adf679965ccc34ca7ae3441",
        SHA256: "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
      };
      const right = Buffer.from(known[ChecksumAlgorithm], "hex");
      const wrong = Buffer.from(right).fill(1);
      const put = (value: Buffer) =>
        s3.send(
          new PutObjectCommand({
            Bucket,
            Key: `sum-${ChecksumAlgorithm}`,
            Body: "123456789",
            [`Checksum${ChecksumAlgorithm}`]: value.toString("base64"),
          }),
        );
      await expect(put(right)).resolves.toMatchObject({
        [`Checksum${ChecksumAlgorithm}`]: right.toString("base64"),
      });
      await expect(put(wrong)).rejects.toMatchObject({ name: "BadDigest" });
    },
  );

  it("keeps content headers and user metadata", async () => {
    await s3.send(
      new PutObjectCommand({
        Bucket,
        Key: "headers",
        Body: "x",
        ContentType: "text/html; charset=utf-8",
        ContentEncoding: "gzip",
        ContentDisposition: 'attachment; filename="a.html"',
        CacheControl: "max-age=60",
        Metadata: { owner: "alice", note: "two  words" },
      }),
    );
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: "headers" }))).toMatchObject({
      ContentType: "text/html; charset=utf-8",
      ContentEncoding: "gzip",
      ContentDisposition: 'attachment; filename="a.html"',
      CacheControl: "max-age=60",
      Metadata: { owner: "alice", note: "two  words" },
    });
  });

  it("replaces headers of the answer where the query says so", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "override", Body: "x" }));
    const got = await s3.send(
      new GetObjectCommand({ Bucket, Key: "override", ResponseContentType: "text/plain" }),
    );
    expect(got.ContentType).toBe("text/plain");
    await got.Body?.transformToString();
  });
});

describe("conditions", () => {
  it("does not overwrite under If-None-Match: *", async () => {
    const put = (Body: string) =>
      s3.send(new PutObjectCommand({ Bucket, Key: "once", Body, IfNoneMatch: "*" }));
    await put("first");
    await expect(put("second")).rejects.toMatchObject({ name: "PreconditionFailed" });
    expect((await bodyOf("once")).toString()).toBe("first");
  });

  it("lets exactly one of many writers win under If-None-Match: *", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        s3.send(
          new PutObjectCommand({ Bucket, Key: "race", Body: `writer ${index}`, IfNoneMatch: "*" }),
        ),
      ),
    );
    const winner = results.findIndex((result) => result.status === "fulfilled");
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect((await bodyOf("race")).toString()).toBe(`writer ${winner}`);
  });

  it("overwrites under If-Match only what has that tag", async () => {
    const first = await s3.send(new PutObjectCommand({ Bucket, Key: "match", Body: "1" }));
    const put = (IfMatch: string) =>
      s3.send(new PutObjectCommand({ Bucket, Key: "match", Body: "2", IfMatch }));
    await expect(put('"00"')).rejects.toMatchObject({ name: "PreconditionFailed" });
    await put(first.ETag ?? "");
    expect((await bodyOf("match")).toString()).toBe("2");
  });

  it("answers 304 for If-None-Match and If-Modified-Since, 412 for If-Match and If-Unmodified-Since", async () => {
    const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key: "cond", Body: "x" }));
    const get = (input: object) => s3.send(new GetObjectCommand({ Bucket, Key: "cond", ...input }));
    const status = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });
    const past = new Date(Date.now() - 3_600_000);
    const future = new Date(Date.now() + 3_600_000);
    await expect(get({ IfNoneMatch: ETag })).rejects.toMatchObject(status(304));
    await expect(get({ IfModifiedSince: future })).rejects.toMatchObject(status(304));
    await expect(get({ IfMatch: '"00"' })).rejects.toMatchObject(status(412));
    await expect(get({ IfUnmodifiedSince: past })).rejects.toMatchObject(status(412));
    for (const input of [{ IfMatch: ETag }, { IfModifiedSince: past }]) {
      const got = await get(input);
      expect(await got.Body?.transformToString()).toBe("x");
    }
  });
});

describe("ranges", () => {
  it.each([
    ["bytes=0-3", "0123", "bytes 0-3/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-2", "89", "bytes 8-9/10"],
    ["bytes=8-100", "89", "bytes 8-9/10"],
  ])("answers %s with 206", async (Range, text, ContentRange) => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "range", Body: "0123456789" }));
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: "range", Range }));
    expect(got.$metadata.httpStatusCode).toBe(206);
    expect(got.ContentRange).toBe(ContentRange);
    expect(await got.Body?.transformToString()).toBe(text);
  });

  it("answers a range behind the end with 416", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "range", Body: "0123456789" }));
    await expect(
      s3.send(new GetObjectCommand({ Bucket, Key: "range", Range: "bytes=10-" })),
    ).rejects.toMatchObject({ name: "InvalidRange", $metadata: { httpStatusCode: 416 } });
  });
});

describe("copies, deletions and tags", () => {
  it("copies bytes and metadata, or replaces the metadata when told to", async () => {
    await s3.send(
      new PutObjectCommand({ Bucket, Key: "from/\u00e9 +%", Body: "x", Metadata: { a: "1" } }),
    );
    const CopySource = `${Bucket}/${encodeURIComponent("from/\u00e9 +%")}`;
    await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource }));
    expect((await bodyOf("copy")).toString()).toBe("x");
    const copied = await s3.send(new HeadObjectCommand({ Bucket, Key: "copy" }));
    expect(copied.Metadata).toEqual({ a: "1" });
    await s3.send(
      new CopyObjectCommand({
        Bucket,
        Key: "copy",
        CopySource: `${Bucket}/copy`,
        MetadataDirective: "REPLACE",
        Metadata: { b: "2" },
        ContentType: "text/plain",
      }),
    );
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: "copy" }))).toMatchObject({
      Metadata: { b: "2" },
      ContentType: "text/plain",
    });
    expect((await bodyOf("copy")).toString()).toBe("x");
  });

  it("refuses to copy an object to itself without a change, and from nowhere", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "self", Body: "x" }));
    const copy = (source: string) =>
      s3.send(new CopyObjectCommand({ Bucket, Key: "self", CopySource: `${Bucket}/${source}` }));
    await expect(copy("self")).rejects.toMatchObject({ name: "InvalidRequest" });
    await expect(copy("nothing")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("deletes one or many, and what is not there without an error", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "gone/1", Body: "x" }));
    await s3.send(new PutObjectCommand({ Bucket, Key: "gone/2\r\n<&>", Body: "x" }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: "gone/1" }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: "gone/1" }));
    const answer = await s3.send(
      new DeleteObjectsCommand({
        Bucket,
        Delete: { Objects: [{ Key: "gone/2\r\n<&>" }, { Key: "never" }] },
      }),
    );
    expect(answer.Deleted?.map(({ Key }) => Key)).toEqual(["gone/2\r\n<&>", "never"]);
    await expect(bodyOf("gone/2\r\n<&>")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("keeps tags from the upload and from PutObjectTagging", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "tags", Body: "x", Tagging: "a=1&b=%20" }));
    const get = async () =>
      (await s3.send(new GetObjectTaggingCommand({ Bucket, Key: "tags" }))).TagSet;
    expect(await get()).toEqual([
      { Key: "a", Value: "1" },
      { Key: "b", Value: " " },
    ]);
    const TagSet = [{ Key: "<c>", Value: "&" }];
    await s3.send(new PutObjectTaggingCommand({ Bucket, Key: "tags", Tagging: { TagSet } }));
    expect(await get()).toEqual(TagSet);
  });
});

describe("buckets", () => {
  it("tells that a bucket is there and where", async () => {
    await s3.send(new HeadBucketCommand({ Bucket }));
    const location = await s3.send(new GetBucketLocationCommand({ Bucket }));
    expect(location.LocationConstraint ?? "").toBe("");
    await expect(s3.send(new HeadBucketCommand({ Bucket: "nothing" }))).rejects.toMatchObject({
      name: "NotFound",
    });
    await expect(
      s3.send(new GetObjectCommand({ Bucket: "nothing", Key: "x" })),
    ).rejects.toMatchObject({ name: "NoSuchBucket" });
  });

  it("lists the buckets of its own stage only", async () => {
    const other = new S3Client(clientSettings(fixture.endpoint, "two"));
    const instance = await fixture.plane.instance("two", "local:bucket");
    await instance.put("local:bucket", "shop-two-uploads", {});
    const names = async (client: S3Client) =>
      (await client.send(new ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name);
    expect(await names(s3)).toEqual([Bucket]);
    expect(await names(other)).toEqual(["shop-two-uploads"]);
    await expect(
      other.send(new PutObjectCommand({ Bucket, Key: "x", Body: "x" })),
    ).rejects.toMatchObject({ name: "NoSuchBucket" });
    other.destroy();
  });

  it("refuses by name to make or delete buckets behind the config's back", async () => {
    await expect(s3.send(new CreateBucketCommand({ Bucket: "mine" }))).rejects.toMatchObject({
      name: "AccessDenied",
      message: expect.stringContaining("CreateBucket"),
    });
    await expect(s3.send(new CreateBucketCommand({ Bucket }))).rejects.toMatchObject({
      name: "BucketAlreadyOwnedByYou",
    });
    await expect(s3.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({
      message: expect.stringContaining("DeleteBucket"),
    });
  });

  it("names an operation that it does not support", async () => {
    await expect(s3.send(new GetBucketAclCommand({ Bucket }))).rejects.toMatchObject({
      name: "NotImplemented",
      message: expect.stringContaining("GetBucketAcl"),
    });
  });
});
