import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeAwsChunked } from "./aws-chunked.ts";
import { ChunkSignatures } from "./chunk-signatures.ts";

const encoded = "5\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n";

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(
  text: string,
  size = 1000,
  signatures: ChunkSignatures | null = null,
): Promise<{ text: string; trailers: Record<string, string> }> {
  const trailers = new Map<string, string>();
  const out: Buffer[] = [];
  for await (const chunk of decodeAwsChunked(pieces(text, size), signatures, trailers))
    out.push(chunk);
  return { text: Buffer.concat(out).toString(), trailers: Object.fromEntries(trailers) };
}

describe("aws-chunked bodies", () => {
  it("give the same bytes and trailers however the network cuts them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: encoded.length }), async (size) => {
        expect(await decode(encoded, size)).toEqual({
          text: "hello world",
          trailers: { "x-amz-checksum-crc32": "DUoRhQ==" },
        });
      }),
    );
  });

  it("are refused when cut off anywhere", async () => {
    for (let length = 0; length < encoded.length; length += 1)
      await expect(decode(encoded.slice(0, length), 7)).rejects.toMatchObject({
        code: "IncompleteBody",
      });
  });

  it.each(["x\r\n", "-5\r\nhello\r\n0\r\n\r\n", "5\r\nhelloXX0\r\n\r\n", "5;a=b\r\nhello\r\n"])(
    "are refused when their framing is broken: %j",
    async (text) => {
      await expect(decode(text)).rejects.toMatchObject({ code: "IncompleteBody" });
    },
  );

  it("are refused when a signed chunk was changed", async () => {
    const key = Buffer.from("key");
    const scope = "20261120/us-east-1/s3/aws4_request";
    const timestamp = "20261120T000000Z";
    const seed = "0".repeat(64);
    const sha256 = (value: string) => createHash("sha256").update(value).digest("hex");
    const sign = (previous: string, chunk: string) =>
      createHmac("sha256", key)
        .update(
          ["AWS4-HMAC-SHA256-PAYLOAD", timestamp, scope, previous, sha256(""), sha256(chunk)].join(
            "\n",
          ),
        )
        .digest("hex");
    const first = sign(seed, "hello");
    const last = sign(first, "");
    const body = (chunk: string) =>
      `5;chunk-signature=${first}\r\n${chunk}\r\n0;chunk-signature=${last}\r\n\r\n`;
    const signatures = () => new ChunkSignatures({ key, scope }, timestamp, seed);
    expect((await decode(body("hello"), 9, signatures())).text).toBe("hello");
    await expect(decode(body("jello"), 9, signatures())).rejects.toMatchObject({
      code: "SignatureDoesNotMatch",
    });
  });
});
