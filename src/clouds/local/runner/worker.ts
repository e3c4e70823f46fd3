import { inspect } from "node:util";
import { parentPort } from "node:worker_threads";
import { captureOutput } from "./worker/capture-output.ts";
import { type Handler, loadHandler } from "./worker/load-handler.ts";
import type {
  FromInstance,
  InstanceSettings,
  InstanceStart,
  ToInstance,
} from "./worker/messages.ts";
import { runHandler } from "./worker/run-handler.ts";

// The entry of a worker thread: one instance of one function, which takes one event at a time.

if (parentPort === null) throw new Error("This file runs only as a worker thread of the runner.");
const port = parentPort;
const post = (message: FromInstance) => port.postMessage(message);

/** Lambda's limit for the payload of a synchronous invocation, in bytes. */
const PAYLOAD_BYTES_MAX = 6_291_556;

let onEmptyLoop: (() => void) | null = null;

async function start({ settings, environment }: InstanceStart): Promise<void> {
  replaceEnvironment(environment);
  captureOutput((level, message) => post({ kind: "log", level, message, timeMs: Date.now() }));
  // A bundle finds copied files relative to its folder, as it does in /var/task. Threads cannot change directory.
  process.cwd = () => settings.codeFolder;
  process.on("beforeExit", () => {
    const callback = onEmptyLoop;
    onEmptyLoop = null;
    callback?.();
  });
  try {
    const handler = await loadHandler(settings.codeFolder, settings.handler);
    port.on("message", (invocation: ToInstance) => void invoke(handler, settings, invocation));
    post({ kind: "ready" });
  } catch (error) {
    post({ kind: "unfit", problem: describe(error) });
  }
}

/** While the handler runs, only what it started keeps the loop alive; between events the port does. */
async function invoke(
  handler: Handler,
  settings: InstanceSettings,
  invocation: ToInstance,
): Promise<void> {
  port.unref();
  const outcome = await attempt(handler, settings, invocation);
  onEmptyLoop = null;
  port.ref();
  post(outcome);
}

async function attempt(
  handler: Handler,
  settings: InstanceSettings,
  invocation: ToInstance,
): Promise<FromInstance> {
  try {
    const result = await runHandler({
      handler,
      settings,
      invocation,
      whenLoopIsEmpty: (callback) => {
        onEmptyLoop = callback;
      },
      warn: (message) => post({ kind: "log", level: "warn", message, timeMs: Date.now() }),
    });
    return returned(JSON.stringify(result) ?? "null");
  } catch (error) {
    return { kind: "threw", problem: describe(error) };
  }
}

function returned(payload: string): FromInstance {
  const isSmall = payload.length * 3 <= PAYLOAD_BYTES_MAX;
  const bytes = isSmall ? 0 : Buffer.byteLength(payload);
  if (bytes <= PAYLOAD_BYTES_MAX) return { kind: "returned", payload };
  const problem =
    `Function.ResponseSizeTooLarge: Response payload size (${bytes} bytes) exceeded maximum ` +
    `allowed payload size (${PAYLOAD_BYTES_MAX} bytes).`;
  return { kind: "threw", problem };
}

function describe(error: unknown): string {
  return error instanceof Error ? inspect(error) : `The handler threw ${inspect(error)}`;
}

/** A thread that was started ahead has the environment of the function it was started for. */
function replaceEnvironment(environment: InstanceStart["environment"]): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}

// The listener goes before the handler is loaded, so that loading alone keeps the thread alive.
port.once("message", (first: InstanceStart) => void start(first));
