import { type Style, styleFor } from "./style.ts";
import { truncate } from "./text-width.ts";

/** One of the two streams a command writes to. */
export interface Output {
  /** Writes whole lines; a missing line break at the end is added. Never throws, also when nobody reads any more. */
  write(text: string): void;
  /** Width in columns; infinite where it is no terminal, so that what is piped on is whole. */
  readonly columns: number;
  readonly style: Style;
  /** Aborted as soon as a write has shown that nobody reads any more. */
  readonly closed: AbortSignal;
}

/** Everything a command shows goes through here. */
export interface Terminal {
  /** What the command was asked for. */
  readonly out: Output;
  /** Problems and notes. */
  readonly err: Output;
  /** A person looks at it: text may be redrawn, and questions may be asked. */
  readonly interactive: boolean;
  /**
   * Lines that stay below whatever is written until the next call; without color, since they are cut to the width.
   * Does nothing unless {@link interactive}.
   */
  setLive(lines: readonly string[]): void;
}

/** What is needed of `process.stdout` and `process.stderr`. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface TerminalOptions {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  /** `NO_COLOR` (no-color.org), `FORCE_COLOR` and `TERM` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const COLUMNS_MIN = 20;
const COLUMNS_DEFAULT = 80;
const ERASE_LINE = "\x1b[2K";
const CURSOR_UP = "\x1b[1A";

export function openTerminal({ stdout, stderr, env }: TerminalOptions): Terminal {
  const dumb = env["TERM"] === "dumb";
  const interactive = stdout.isTTY === true && stderr.isTTY === true && !dumb;
  const toOut = safeWriter(stdout);
  const toErr = safeWriter(stderr);
  let live: readonly string[] = [];

  const erase = () =>
    live.length === 0 ? "" : `\r${(CURSOR_UP + ERASE_LINE).repeat(live.length)}`;
  const draw = () => live.map((line) => `${line}\n`).join("");

  const output = (stream: TerminalStream, to: SafeWriter): Output => ({
    write(text) {
      const lines = text === "" || text.endsWith("\n") ? text : `${text}\n`;
      if (live.length === 0) to.write(lines);
      else {
        toOut.write(erase());
        to.write(lines);
        toOut.write(draw());
      }
    },
    get columns() {
      return widthOf(stream);
    },
    style: styleFor(hasColor(stream, env)),
    closed: to.closed,
  });

  return {
    out: output(stdout, toOut),
    err: output(stderr, toErr),
    interactive,
    setLive(lines) {
      if (!interactive || (lines.length === 0 && live.length === 0)) return;
      const before = erase();
      // A line that wrapped would be two, and erasing would leave one behind.
      live = lines.map((line) => truncate(line, widthOf(stdout) - 1));
      toOut.write(before + draw());
    },
  };
}

function widthOf(stream: TerminalStream): number {
  if (stream.isTTY !== true) return Number.POSITIVE_INFINITY;
  return Math.max(COLUMNS_MIN, stream.columns || COLUMNS_DEFAULT);
}

function hasColor(stream: TerminalStream, env: TerminalOptions["env"]): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return stream.isTTY === true && TERM !== "dumb";
}

interface SafeWriter {
  readonly closed: AbortSignal;
  write(text: string): void;
}

/** A reader that went away (`scrim logs | head`) must not end what the command is in the middle of. */
function safeWriter(stream: TerminalStream): SafeWriter {
  const closing = new AbortController();
  // As it is now: while a config runs, what it prints is diverted, and what we print must not be.
  const write = stream.write.bind(stream);
  stream.on("error", () => closing.abort());
  return {
    closed: closing.signal,
    write(text) {
      if (closing.signal.aborted || text === "") return;
      try {
        write(text);
      } catch {
        closing.abort();
      }
    },
  };
}
