import { readdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { basename, join } from "node:path";
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientSettings,
  createDataPlaneFixture,
  type DataPlaneFixture,
} from "../../server/data-plane.fixture.ts";

const Bucket = "access";
let fixture: DataPlaneFixture;
let s3: S3Client;

beforeAll(async () => {
  fixture = await createDataPlaneFixture();
  s3 = new S3Client(clientSettings(fixture.endpoint, "one"));
  const instance = await fixture.plane.instance("one", "local:bucket");
  const cors = {
    allowOrigins: ["https://*.example.com"],
    allowMethods: ["GET", "PUT"],
    allowHeaders: ["content-type", "x-amz-*"],
    exposeHeaders: ["ETag"],
    allowCredentials: false,
    maxAge: 600,
  };
  await instance.put("local:bucket", Bucket, { cors });
  await instance.put("local:bucket", "closed", { cors: null });
  await s3.send(new PutObjectCommand({ Bucket, Key: "k", Body: "hello" }));
});

afterAll(async () => {
  s3.destroy();
  await fixture.close();
});

function sign(command: GetObjectCommand | PutObjectCommand, expiresIn = 60): Promise<string> {
  return getSignedUrl(s3, command, { expiresIn });
}

async function codeOf(response: Response): Promise<string> {
  return /<Code>(.*?)<\/Code>/.exec(await response.text())?.[1] ?? "";
}

describe("presigned URLs", () => {
  it("let anyone get what they were made for", async () => {
    const response = await fetch(await sign(new GetObjectCommand({ Bucket, Key: "k" })));
    expect([response.status, await response.text()]).toEqual([200, "hello"]);
  });

  it("let anyone put, with the metadata that was signed", async () => {
    const put = new PutObjectCommand({ Bucket, Key: "put", Metadata: { by: "url" } });
    const response = await fetch(await sign(put), { method: "PUT", body: "from a browser" });
    expect(response.status).toBe(200);
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: "put" }));
    expect(await got.Body?.transformToString()).toBe("from a browser");
    expect(got.Metadata).toEqual({ by: "url" });
  });

  it("answer 403 when expired", async () => {
    const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "k" }), {
      expiresIn: 60,
      signingDate: new Date(Date.now() - 120_000),
    });
    const response = await fetch(url);
    expect([response.status, await codeOf(response)]).toEqual([403, "AccessDenied"]);
  });

  it.each([
    ["the key", (url: string) => url.replace("/k?", "/other?")],
    ["the lifetime", (url: string) => url.replace("X-Amz-Expires=60", "X-Amz-Expires=6000")],
    ["the signature", (url: string) => url.replace(/Signature=./, otherFirstDigit)],
  ])("answer 403 when %s was tampered with", async (_, tamper) => {
    const url = await sign(new GetObjectCommand({ Bucket, Key: "k" }));
    const response = await fetch(tamper(url));
    expect([response.status, await codeOf(response)]).toEqual([403, "SignatureDoesNotMatch"]);
  });

  it("are for their own method only", async () => {
    const url = await sign(new GetObjectCommand({ Bucket, Key: "k" }));
    expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(403);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
  });
});

describe("signatures in headers", () => {
  it.each([
    ["an access key of nobody", { accessKeyId: "NOBODY" }, "InvalidAccessKeyId"],
    ["another secret", { secretAccessKey: "wrong" }, "SignatureDoesNotMatch"],
  ])("with %s are refused", async (_, change, name) => {
    const settings = clientSettings(fixture.endpoint, "one");
    const credentials = { ...settings.credentials, ...change };
    const wrong = new S3Client({ ...settings, credentials });
    await expect(wrong.send(new ListBucketsCommand({}))).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: 403 },
    });
    wrong.destroy();
  });

  it("made more than 15 minutes ago or ahead are refused", async () => {
    for (const systemClockOffset of [-16 * 60_000, 16 * 60_000]) {
      const settings = clientSettings(fixture.endpoint, "one");
      const skewed = new S3Client({ ...settings, systemClockOffset });
      await expect(skewed.send(new ListBucketsCommand({}))).rejects.toMatchObject({
        name: "RequestTimeTooSkewed",
      });
      skewed.destroy();
    }
  });

  it("are needed: without one the answer is 403 and no data", async () => {
    const response = await fetch(`${fixture.endpoint}/${Bucket}/k`);
    expect([response.status, await codeOf(response)]).toEqual([403, "AccessDenied"]);
  });

  it("cover the headers: one added on the way is refused", async () => {
    const settings = clientSettings(fixture.endpoint, "one");
    const client = new S3Client(settings);
    client.middlewareStack.add(
      (next) => (args) => {
        const request: unknown = args.request;
        const headers = (request as { headers: Record<string, string> }).headers;
        headers["x-amz-meta-added"] = "1";
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    await expect(
      client.send(new PutObjectCommand({ Bucket, Key: "x", Body: "x" })),
    ).rejects.toMatchObject({ name: "AccessDenied" });
    client.destroy();
  });
});

describe("hosts", () => {
  function statusFor(host: string): Promise<number | undefined> {
    const { port } = new URL(fixture.endpoint);
    return new Promise((resolve, reject) => {
      const request = httpRequest({ host: "127.0.0.1", port, path: "/", headers: { host } });
      request.on("response", (response) => resolve(response.resume().statusCode));
      request.on("error", reject);
      request.end();
    });
  }

  it("that are not local are refused before anything else", async () => {
    expect(await statusFor("evil.example")).toBe(403);
    expect(await statusFor("localhost.evil.example:80")).toBe(403);
  });

  it("may be <bucket>.localhost, as clients without path style write them", async () => {
    const { port } = new URL(fixture.endpoint);
    const settings = clientSettings(`http://localhost:${port}`, "one");
    const client = new S3Client(settings);
    // The name of the host is not everywhere resolved to loopback, so the connection is made by
    // address.
    client.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { hostname: string; headers: Record<string, string> };
        expect(request.headers["host"]).toBe(`${Bucket}.localhost:${port}`);
        request.hostname = "127.0.0.1";
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: "k" }));
    expect(head.ContentLength).toBe(5);
    client.destroy();
  });
});

describe("browsers", () => {
  const origin = "https://app.example.com";

  function preflight(bucket: string, headers: Record<string, string>): Promise<Response> {
    return fetch(`${fixture.endpoint}/${bucket}/k`, { method: "OPTIONS", headers });
  }

  it("get a preflight answered by the bucket's rules, without a signature", async () => {
    const response = await preflight(Bucket, {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type, x-amz-date",
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-headers": "content-type, x-amz-date",
      "access-control-allow-methods": "GET, PUT",
      "access-control-max-age": "600",
    });
  });

  it.each([
    ["another origin", Bucket, { origin: "https://evil.example" }],
    ["another method", Bucket, { "access-control-request-method": "DELETE" }],
    ["another header", Bucket, { "access-control-request-headers": "x-custom" }],
    ["a bucket without rules", "closed", {}],
    ["a bucket that is not there", "nothing", {}],
  ])("are refused for %s", async (_, bucket, change) => {
    const headers = { origin, "access-control-request-method": "PUT", ...change };
    const response = await preflight(bucket, headers);
    expect(response.status).toBeGreaterThanOrEqual(403);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("may read answers and errors of what they are allowed to ask", async () => {
    const url = await sign(new GetObjectCommand({ Bucket, Key: "k" }));
    for (const [address, status] of [
      [url, 200],
      [url.replace("/k?", "/x?"), 403],
    ] as const) {
      const response = await fetch(address, { headers: { origin } });
      expect(response.status).toBe(status);
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
      expect(response.headers.get("access-control-expose-headers")).toBe("ETag");
      await response.text();
    }
  });
});

describe("bodies that break off", () => {
  async function blobs(): Promise<string[]> {
    const folder = join(fixture.folder, "one", "s3", "blobs");
    const names = await readdir(folder, { recursive: true });
    return names.filter((name) => basename(name).length === 32).sort();
  }

  it("store nothing and leave no file", async () => {
    const put = new PutObjectCommand({ Bucket, Key: "cut", ContentLength: 1000 });
    const url = new URL(await sign(put));
    const before = await blobs();
    const socket = connect(Number(url.port), "127.0.0.1");
    socket.write(`PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`);
    socket.write("content-length: 1000\r\n\r\nonly this");
    await expect.poll(blobs, { timeout: 10_000 }).toHaveLength(before.length + 1);
    socket.destroy();
    await expect(s3.send(new GetObjectCommand({ Bucket, Key: "cut" }))).rejects.toMatchObject({
      name: "NoSuchKey",
    });
    await expect.poll(blobs, { timeout: 10_000 }).toEqual(before);
  });
});

function otherFirstDigit(found: string): string {
  return found.endsWith("0") ? "Signature=1" : "Signature=0";
}
