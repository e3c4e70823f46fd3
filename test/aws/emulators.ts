import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { available } from "../support/require.ts";
import { root } from "../support/root.ts";

/**
 * `moto` imitates the control planes of most services and S3 with conditional writes. `ministack` also runs Node.js
 * functions and HTTP APIs. Both come from `npm run test:setup`.
 */
export type EmulatorName = "moto" | "ministack";

export interface Emulator {
  /** `http://127.0.0.1:<port>`; put a fault proxy in front of it where calls are to fail. */
  readonly endpoint: string;
  /** What a command or a client needs in its environment: endpoint, region and keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Forgets everything. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const START_TIME_MAX_MS = 60_000;
const bin = join(root, ".cache/emulators/bin");

/** Where each is started from, and the path that makes it forget. */
const EMULATORS = {
  moto: { program: "moto_server", reset: "/moto-api/reset" },
  ministack: { program: "ministack", reset: "/_ministack/reset" },
} as const;

/** Whether an emulator is installed; what is missing is told, or is a failure where all is required. */
export function hasEmulator(name: EmulatorName): boolean {
  return available(name, existsSync(join(bin, EMULATORS[name].program)));
}

/** Starts an emulator on a free port of this machine; close it when the tests are over. */
export async function startEmulator(name: EmulatorName): Promise<Emulator> {
  const { program, reset } = EMULATORS[name];
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), `scrim-${name}-`));
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(join(bin, program), argumentsOf(name, port), {
    cwd: folder,
    env: environmentOf(port, folder),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await untilAnswers(endpoint, child);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    endpoint,
    env: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_EC2_METADATA_DISABLED: "true",
    },
    reset: async () => {
      const { ok, status } = await fetch(endpoint + reset, { method: "POST" });
      if (!ok) throw new Error(`${name} does not forget: ${status}`);
    },
    close,
  };
}

function argumentsOf(name: EmulatorName, port: number): readonly string[] {
  return name === "moto" ? ["-H", "127.0.0.1", "-p", String(port)] : [];
}

/** Nothing of this machine's but the path, so that no credentials of the developer's are at hand. */
function environmentOf(port: number, folder: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    TMPDIR: folder,
    BIND_HOST: "127.0.0.1",
    GATEWAY_PORT: String(port),
    LOG_LEVEL: "WARNING",
    S3_DATA_DIR: join(folder, "s3"),
  };
}

async function untilAnswers(endpoint: string, child: ChildProcess): Promise<void> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const endMs = Date.now() + START_TIME_MAX_MS;
  while (Date.now() < endMs) {
    if (child.exitCode !== null) throw new Error(`the emulator ended: ${said}`);
    const answers = await fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the emulator does not answer: ${said}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" ? (address?.port ?? 0) : 0;
      server.close(() => resolve(port));
    });
  });
}
