import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientSettings,
  createDataPlaneFixture,
  type DataPlaneFixture,
} from "../../server/data-plane.fixture.ts";

const Bucket = "parts";
const MIB = 1024 * 1024;
let fixture: DataPlaneFixture;
let s3: S3Client;

beforeAll(async () => {
  fixture = await createDataPlaneFixture();
  s3 = new S3Client(clientSettings(fixture.endpoint, "one"));
  await (await fixture.plane.instance("one", "local:bucket")).put("local:bucket", Bucket, {});
});

afterAll(async () => {
  s3.destroy();
  await fixture.close();
});

async function bodyOf(Key: string, Range?: string): Promise<Buffer> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

async function start(Key: string): Promise<string> {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  return UploadId ?? "";
}

describe("multipart uploads", () => {
  it("through lib-storage keep the bytes, also read across parts", async () => {
    const body = randomBytes(12 * MIB);
    await new Upload({
      client: s3,
      params: { Bucket, Key: "big", Body: Readable.from([body]), ContentType: "video/mp4" },
    }).done();
    expect((await bodyOf("big")).equals(body)).toBe(true);
    const range = await bodyOf("big", `bytes=${5 * MIB - 3}-${10 * MIB + 3}`);
    expect(range.equals(body.subarray(5 * MIB - 3, 10 * MIB + 4))).toBe(true);
    const head = await s3.send(
      new HeadObjectCommand({ Bucket, Key: "big", ChecksumMode: "ENABLED" }),
    );
    const md5 = (bytes: Buffer) => createHash("md5").update(bytes).digest();
    const parts = [0, 5, 10].map((at) => md5(body.subarray(at * MIB, (at + 5) * MIB)));
    expect(head.ETag).toBe(`"${md5(Buffer.concat(parts)).toString("hex")}-3"`);
    expect(head.ChecksumCRC32).toMatch(/-3$/);
    expect(head.ContentType).toBe("video/mp4");
  });

  it("list their parts and themselves until they are completed", async () => {
    const Key = "listed";
    const UploadId = await start(Key);
    const sizes = [5 * MIB, 7];
    const Parts = [];
    for (const [index, size] of sizes.entries()) {
      const PartNumber = index + 1;
      const Body = Buffer.alloc(size, PartNumber);
      const input = { Bucket, Key, UploadId, PartNumber, Body };
      const { ETag } = await s3.send(new UploadPartCommand(input));
      Parts.push({ PartNumber, ETag });
    }
    const first = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 1 }));
    expect(first.IsTruncated).toBe(true);
    expect(first.Parts?.map(({ Size }) => Size)).toEqual([5 * MIB]);
    const rest = await s3.send(
      new ListPartsCommand({
        Bucket,
        Key,
        UploadId,
        PartNumberMarker: first.NextPartNumberMarker,
      }),
    );
    expect(rest.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([[2, 7]]);
    const open = async () =>
      (await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }))).Uploads ?? [];
    expect((await open()).map((upload) => upload.UploadId)).toEqual([UploadId]);
    await s3.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    );
    expect(await open()).toEqual([]);
    expect((await bodyOf(Key)).length).toBe(5 * MIB + 7);
  });

  it("are gone when aborted", async () => {
    const Key = "aborted";
    const UploadId = await start(Key);
    const part = { Bucket, Key, UploadId, PartNumber: 1, Body: "x" };
    await s3.send(new UploadPartCommand(part));
    await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    await expect(s3.send(new UploadPartCommand(part))).rejects.toMatchObject({
      name: "NoSuchUpload",
    });
    await expect(bodyOf(Key)).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("take parts from other objects, whole or by range", async () => {
    const source = randomBytes(6 * MIB);
    await s3.send(new PutObjectCommand({ Bucket, Key: "source", Body: source }));
    const Key = "copied";
    const UploadId = await start(Key);
    const copy = async (PartNumber: number, CopySourceRange?: string) => {
      const { CopyPartResult } = await s3.send(
        new UploadPartCopyCommand({
          Bucket,
          Key,
          UploadId,
          PartNumber,
          CopySource: `${Bucket}/source`,
          ...(CopySourceRange && { CopySourceRange }),
        }),
      );
      return { PartNumber, ETag: CopyPartResult?.ETag };
    };
    const Parts = [await copy(1), await copy(2, "bytes=10-19")];
    await s3.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    );
    const expected = Buffer.concat([source, source.subarray(10, 20)]);
    expect((await bodyOf(Key)).equals(expected)).toBe(true);
  });

  it("are refused when parts are missing, out of order or too small", async () => {
    const Key = "wrong";
    const UploadId = await start(Key);
    const tags = [];
    for (const PartNumber of [1, 2]) {
      const input = { Bucket, Key, UploadId, PartNumber, Body: `part ${PartNumber}` };
      tags.push((await s3.send(new UploadPartCommand(input))).ETag);
    }
    const complete = (Parts: { PartNumber: number; ETag: string | undefined }[]) =>
      s3.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
      );
    const one = { PartNumber: 1, ETag: tags[0] };
    const two = { PartNumber: 2, ETag: tags[1] };
    await expect(complete([two, one])).rejects.toMatchObject({ name: "InvalidPartOrder" });
    await expect(complete([one, { PartNumber: 3, ETag: tags[1] }])).rejects.toMatchObject({
      name: "InvalidPart",
    });
    await expect(complete([one, two])).rejects.toMatchObject({ name: "EntityTooSmall" });
    await complete([two]);
    expect((await bodyOf(Key)).toString()).toBe("part 2");
  });

  it.each(["CRC32", "CRC64NVME"] as const)(
    "have a %s over the whole object when they ask for it",
    async (ChecksumAlgorithm) => {
      const Key = `full-${ChecksumAlgorithm}`;
      const { UploadId } = await s3.send(
        new CreateMultipartUploadCommand({
          Bucket,
          Key,
          ChecksumAlgorithm,
          ChecksumType: "FULL_OBJECT",
        }),
      );
      const part = await s3.send(
        new UploadPartCommand({
          Bucket,
          Key,
          UploadId,
          PartNumber: 1,
          Body: "123456789",
          ChecksumAlgorithm: ChecksumAlgorithm === "CRC32" ? "CRC32" : "CRC64NVME",
          ...(ChecksumAlgorithm === "CRC64NVME" && { ChecksumCRC64NVME: "rosUhgp5mIg=" }),
        }),
      );
      const done = await s3.send(
        new CompleteMultipartUploadCommand({
          Bucket,
          Key,
          UploadId,
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part.ETag }] },
        }),
      );
      const expected = ChecksumAlgorithm === "CRC32" ? "y/Q5Jg==" : "rosUhgp5mIg=";
      expect(done[`Checksum${ChecksumAlgorithm}`]).toBe(expected);
    },
  );
});
