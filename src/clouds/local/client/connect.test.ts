import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../system/clock.ts";
import { type BuiltEntries, buildEntries } from "../../../testing/build-entry.ts";
import {
  buildLocalCloud,
  createLocalCloudFixture,
  type LocalCloudFixture,
  until,
} from "../../../testing/local-cloud-fixture.ts";
import { localFolders } from "../folders.ts";
import { currentProcess, isRunning } from "../process-identity.ts";
import { type ConnectOptions, connect, drainServer, findServer } from "./connect.ts";
import { runForeground } from "./run-foreground.ts";
import { stopServer } from "./stop-server.ts";

const run = promisify(execFile);
const signal = new AbortController().signal;

let one: BuiltEntries;
let two: BuiltEntries;
let fixture: LocalCloudFixture;

beforeAll(async () => {
  one = await buildLocalCloud("1.0.0");
  two = await buildLocalCloud("2.0.0");
});
afterAll(() => {
  one.remove();
  two.remove();
});
beforeEach(() => {
  fixture = createLocalCloudFixture(one);
});
afterEach(() => fixture.close());

function options(built: BuiltEntries, version: string): ConnectOptions {
  const { home, env } = fixture;
  const serverEntry = built.file("server");
  return { homeFolder: home, env, clock: systemClock, version, signal, serverEntry };
}

const serverLog = () => readFileSync(localFolders(fixture.home).serverLog, "utf8");

describe("connecting", () => {
  it("starts a server and finds it again", async () => {
    const first = await connect(options(one, "1.0.0"));
    expect(first).toMatchObject({ version: "1.0.0", protocol: 1 });
    expect(await connect(options(one, "1.0.0"))).toEqual(first);
  });

  it("starts exactly one server when several connect at the same time", async () => {
    const found = await Promise.all(
      Array.from({ length: 5 }, () => connect(options(one, "1.0.0"))),
    );
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(1);
    expect(serverLog().match(/serving on/g)).toHaveLength(1);
  });

  it("starts another server after kill -9, whatever was left behind", async () => {
    const first = await connect(options(one, "1.0.0"));
    process.kill(first.pid, "SIGKILL");
    const second = await connect(options(one, "1.0.0"));
    expect(second.pid).not.toBe(first.pid);
    expect(existsSync(second.socket)).toBe(true);
  });

  it("starts a server when server.json is damaged or of a process that is no server", async () => {
    const { root, serverInfo } = localFolders(fixture.home);
    mkdirSync(root);
    for (const left of ["\0\0", "{}", JSON.stringify({ pid: process.pid, socket: "/nowhere" })]) {
      writeFileSync(serverInfo, left);
      expect((await connect(options(one, "1.0.0"))).version).toBe("1.0.0");
    }
  });

  it("replaces an older server by its own version", async () => {
    const older = await connect(options(one, "1.0.0"));
    const newer = await connect(options(two, "2.0.0"));
    expect(newer.version).toBe("2.0.0");
    await until(() => !isRunning(older.pid));
  });

  it("uses a newer server of the same protocol", async () => {
    const newer = await connect(options(two, "2.0.0"));
    expect(await connect(options(one, "1.0.0"))).toEqual(newer);
  });

  it("refuses a newer server of a newer protocol and names both versions", async () => {
    const newer = await connect(options(two, "2.0.0"));
    const refused = connect({ ...options(one, "1.0.0"), protocol: 0 });
    await expect(refused).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_SERVER_NEWER", exit: 2 }],
      message: expect.stringMatching(/2\.0\.0.*1\.0\.0/),
    });
    expect(isRunning(newer.pid)).toBe(true);
  });

  it("tells why a server could not start", async () => {
    const { root, format } = localFolders(fixture.home);
    mkdirSync(root);
    writeFileSync(format, '{"format": 99}');
    await expect(connect(options(one, "1.0.0"))).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_REGISTRY_NEWER", exit: 2 }],
    });
  });

  it("tells that the home has a server that cannot be reached, as one of another container", async () => {
    const { claims } = localFolders(fixture.home);
    mkdirSync(claims, { recursive: true });
    writeFileSync(join(claims, "0000000001.json"), JSON.stringify(currentProcess()));
    const refused = connect({ ...options(one, "1.0.0"), startTimeoutMs: 3_000 });
    await expect(refused).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_SERVER_SILENT", why: expect.stringContaining("container") }],
      message: expect.stringContaining("cannot be reached from here"),
    });
  });

  it("tells that a server ended without a word", async () => {
    const serverEntry = join(one.folder, "missing.js");
    await expect(connect({ ...options(one, "1.0.0"), serverEntry })).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_SERVER_FAILED" }],
    });
  });

  it("ends with the signal, and a starter that is gone does not stop the server", async () => {
    const controller = new AbortController();
    const connecting = connect({ ...options(one, "1.0.0"), signal: controller.signal });
    controller.abort(new Error("Ctrl-C"));
    await expect(connecting).rejects.toThrow("Ctrl-C");
    expect((await connect(options(one, "1.0.0"))).version).toBe("1.0.0");
  });

  it("survives kill -9 of the process that starts the server, at any moment", async () => {
    const starter = await buildEntries({
      starter: fileURLToPath(new URL("./connect-driver.fixture.ts", import.meta.url)),
    });
    try {
      for (const timeoutMs of [20, 60, 120, 200]) {
        const args = [starter.file("starter"), fixture.home, one.file("server")];
        const started = run(process.execPath, args, {
          env: { ...fixture.env, NODE_OPTIONS: "" },
          timeout: timeoutMs,
          killSignal: "SIGKILL",
        });
        await started.catch(() => undefined);
        const server = await connect(options(one, "1.0.0"));
        expect((await connect(options(one, "1.0.0"))).pid).toBe(server.pid);
        process.kill(server.pid, "SIGKILL");
        await until(() => !isRunning(server.pid));
      }
    } finally {
      starter.remove();
    }
  });
});

describe("stopping", () => {
  it("lets the server leave, and tells when there was none", async () => {
    const { home } = fixture;
    expect(await stopServer({ homeFolder: home, clock: systemClock, signal })).toBe(false);
    const server = await connect(options(one, "1.0.0"));
    expect(await stopServer({ homeFolder: home, clock: systemClock, signal })).toBe(true);
    await until(() => !isRunning(server.pid));
  });
});

describe("a server in the foreground", () => {
  it("serves until it is told to leave, and no second one beside it", async () => {
    const { home, env } = fixture;
    const controller = new AbortController();
    const start = { homeFolder: home, env, serverEntry: one.file("server") };
    let isReady = false;
    const ended = runForeground({ ...start, signal: controller.signal }, () => {
      isReady = true;
    });
    await until(() => isReady);
    await expect(runForeground({ ...start, signal }, () => undefined)).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_SERVER_RUNNING" }],
    });
    controller.abort();
    expect(await ended).toBe(0);
    expect(await findServer({ homeFolder: home, signal })).toBeNull();
  });
});

describe("a server", () => {
  it("starts without the caller's credentials and options", async () => {
    const { pid } = await connect(options(one, "1.0.0"));
    if (!existsSync(`/proc/${pid}/environ`)) return;
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(environment).toContain("SCRIM_KEY_DIR");
    expect(environment).not.toMatch(/AWS_|NODE_OPTIONS/);
  });

  it("leaves when it is asked to, and takes server.json and its socket with it", async () => {
    const server = await connect(options(one, "1.0.0"));
    await drainServer(server, signal);
    await until(() => !isRunning(server.pid));
    expect(existsSync(server.socket)).toBe(false);
    expect(existsSync(localFolders(fixture.home).serverInfo)).toBe(false);
    expect(await findServer({ homeFolder: fixture.home, signal })).toBeNull();
  });

  it("leaves on SIGTERM", async () => {
    const server = await connect(options(one, "1.0.0"));
    process.kill(server.pid, "SIGTERM");
    await until(() => !isRunning(server.pid));
    expect(existsSync(server.socket)).toBe(false);
  });

  it("leaves when its home is deleted, and does not make it anew", async () => {
    const server = await connect(options(one, "1.0.0"));
    rmSync(fixture.home, { recursive: true, force: true });
    await until(() => !isRunning(server.pid));
    expect(existsSync(server.socket)).toBe(false);
    expect(existsSync(fixture.home)).toBe(false);
  });

  it("keeps its token and socket to its user", async () => {
    const server = await connect(options(one, "1.0.0"));
    const { statSync } = await import("node:fs");
    expect(statSync(localFolders(fixture.home).serverInfo).mode & 0o777).toBe(0o600);
    expect(statSync(server.socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(server.socket)).mode & 0o777).toBe(0o700);
  });
});
