import { openTerminal, type Terminal, type TerminalStream } from "./terminal.ts";

/** A terminal that keeps what is written, for tests. */
export interface TestTerminal {
  readonly terminal: Terminal;
  readonly stdout: TestStream;
  readonly stderr: TestStream;
}

export interface TestStream extends TerminalStream {
  text: string;
  /** What the stream does as soon as it is written to. */
  failure: Error | null;
  emitError(error: Error): void;
}

export function testTerminal(
  isTTY: boolean,
  env: Readonly<Record<string, string>> = {},
  columns = 60,
): TestTerminal {
  const stdout = testStream(isTTY, columns);
  const stderr = testStream(isTTY, columns);
  return { terminal: openTerminal({ stdout, stderr, env }), stdout, stderr };
}

function testStream(isTTY: boolean, columns: number): TestStream {
  const listeners: ((error: Error) => void)[] = [];
  return {
    text: "",
    failure: null,
    isTTY,
    columns,
    write(text) {
      if (this.failure !== null) throw this.failure;
      this.text += text;
    },
    on(_, listener) {
      listeners.push(listener);
    },
    emitError(error) {
      for (const listener of listeners) listener(error);
    },
  };
}

/** What a person sees after all that was written: lines, with erasing and moving up carried out. */
export function screen(written: string): readonly string[] {
  const lines = [""];
  let row = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that are carried out
  for (const [part] of written.matchAll(/\x1b\[2K|\x1b\[1A|\r|\n|[^\x1b\r\n]+|\x1b\[\d+m/g)) {
    if (part === "\x1b[1A") row -= 1;
    else if (part === "\x1b[2K") lines[row] = "";
    else if (part === "\n") {
      row += 1;
      lines[row] ??= "";
    } else if (part !== "\r") lines[row] = (lines[row] ?? "") + part;
  }
  return lines.slice(0, row);
}
