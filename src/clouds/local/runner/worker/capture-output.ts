import { format } from "node:util";
import type { LogEntry } from "../../../cloud.ts";

/** Receives one log entry. */
export type WriteLog = (level: LogEntry["level"], message: string) => void;

/** Which level each console method logs at, as Lambda's runtime has it. */
const LEVELS = {
  trace: "debug",
  debug: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
} as const;

/** Sends everything a handler prints, through the console or straight to a stream, to `write`. */
export function captureOutput(write: WriteLog): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Reflect.set(console, method, (...values: unknown[]) => {
      const text = format(...values);
      write(level, method === "trace" ? withStack(text) : text);
    });
  }
  captureStream(process.stdout, (text) => write("info", text));
  captureStream(process.stderr, (text) => write("error", text));
}

function withStack(text: string): string {
  const carrier = new Error(text);
  carrier.name = "Trace";
  return carrier.stack ?? text;
}

/** Every write is one entry; the newline that ends it is dropped. */
function captureStream(stream: NodeJS.WriteStream, write: (text: string) => void): void {
  const replacement = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(asBytes(chunk)).toString("utf8");
    write(text.replace(/\r?\n$/, ""));
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") process.nextTick(callback);
    return true;
  };
  Reflect.set(stream, "write", replacement);
}

function asBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("The chunk must be a string or bytes.");
}
