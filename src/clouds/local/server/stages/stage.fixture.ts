import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEntry } from "../../../cloud.ts";
import { buildRunner } from "../../runner/built-runner.fixture.ts";
import type {
  ApiRuntime,
  FunctionRuntime,
  StageHost,
  StageRuntime,
} from "../../runner/protocol.ts";
import { createStageHost, type StageHostOptions } from "./stage-host.ts";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** Real runners in a temporary folder, for tests. */
export interface StageFixture {
  readonly folder: string;
  host(options?: Partial<StageHostOptions>): StageHost;
  /** Writes the module as a bundle of its own and describes its function. */
  function(name: string, source: string, more?: Partial<FunctionRuntime>): Promise<FunctionRuntime>;
  api(
    port: number,
    routes: Readonly<Record<string, string>>,
    more?: Partial<ApiRuntime>,
  ): ApiRuntime;
  runtime(
    revision: number,
    functions: readonly FunctionRuntime[],
    apis: readonly ApiRuntime[],
  ): StageRuntime;
  logs(): Promise<readonly LogEntry[]>;
  /** Closes the hosts and deletes the folder. */
  close(): Promise<void>;
}

export async function createStageFixture(): Promise<StageFixture> {
  const folder = await mkdtemp(join(tmpdir(), "scrim-stage-"));
  const entries = await buildRunner(join(folder, "dist"));
  const logsFolder = join(folder, "logs");
  const hosts: StageHost[] = [];
  return {
    folder,
    host(options = {}) {
      const host = createStageHost({ ...entries, ...options });
      hosts.push(host);
      return host;
    },
    async function(name, source, more = {}) {
      const hash = createHash("sha256").update(source).digest("hex").slice(0, 16);
      const codeFolder = join(folder, "code", hash);
      await mkdir(codeFolder, { recursive: true });
      await writeFile(join(codeFolder, "index.mjs"), source);
      return {
        name,
        physicalName: `app-test-${name}`,
        arn: `arn:aws:lambda:us-east-1:000000000000:function:app-test-${name}`,
        codeFolder,
        handler: "index.handler",
        timeoutMs: 20_000,
        memoryMb: 256,
        concurrency: null,
        environment: {},
        ...more,
      };
    },
    api: (port, routes, more = {}) => ({
      id: "abcdefghij",
      name: "Api",
      kind: "http-api",
      port,
      cors: null,
      routes: Object.entries(routes).map(([routeKey, name]) => ({ routeKey, function: name })),
      ...more,
    }),
    runtime: (revision, functions, apis) => ({
      app: "app",
      stage: "test",
      stageKey: "a-app.s-test",
      revision,
      account: "000000000000",
      region: "us-east-1",
      logsFolder,
      functions,
      apis,
    }),
    logs: () => readLogs(logsFolder),
    async close() {
      await Promise.all(hosts.map((host) => host.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** One request on a connection of its own unless an agent is given. */
export function ask(port: number, path: string, options: Ask = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method: options.method ?? "GET",
        headers: { host: `localhost:${port}`, ...options.headers },
        agent: options.agent ?? false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(options.body);
  });
}

/** Asks again until it is so, at most for the given time. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  limitMs = 15_000,
): Promise<void> {
  const startMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startMs > limitMs) throw new Error("It did not come true in time.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function readLogs(folder: string): Promise<readonly LogEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")));
  return texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line !== "")
    .map((line): LogEntry => JSON.parse(line));
}
