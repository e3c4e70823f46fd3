import { type Diagnostic, DiagnosticError, EXIT } from "../model/diagnostic.ts";

export interface EnvEntry {
  readonly value: string;
  /** Line of the key, from 1. */
  readonly line: number;
}

export interface ParsedEnv {
  /** By key, in the order of their last mention. */
  readonly entries: ReadonlyMap<string, EnvEntry>;
  readonly warnings: readonly Diagnostic[];
}

const ASSIGNMENT = /^\s*(?:export\s+)?([^=:\s#'"`]+)\s*(?:=|:(?=\s|$))[^\S\n]*/;
const KEY = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * Reads the text of an `.env` file by the rules of dotenv: `KEY=value` with optional `export`, `#` comments, values in
 * single quotes, double quotes or backticks over several lines, `\n` and `\r` only in double quotes. Nothing is
 * expanded and nothing is executed. What dotenv would silently misread is an error here.
 *
 * @param file its path, for messages
 * @throws DiagnosticError `ENV_FILE_INVALID` (exit 2) for every bad line at once; never shows a value
 */
export function parseEnv(text: string, file: string): ParsedEnv {
  const reader = new EnvReader(text, file);
  while (reader.readLine());
  const [first, ...more] = reader.errors;
  if (first !== undefined) throw new DiagnosticError(first, ...more);
  return { entries: reader.entries, warnings: reader.warnings };
}

class EnvReader {
  readonly entries = new Map<string, EnvEntry>();
  readonly errors: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly #lines: readonly string[];
  readonly #file: string;
  #at = 0;

  constructor(text: string, file: string) {
    this.#lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
    this.#file = file;
  }

  /** Reads one assignment, comment or empty line; false at the end. */
  readLine(): boolean {
    const line = this.#lines[this.#at];
    if (line === undefined) return false;
    const number = this.#at + 1;
    this.#at += 1;
    if (/^\s*(?:#|$)/.test(line)) return true;
    if (line.includes("\0")) {
      this.#error(number, "holds a NUL character", "Save the file as UTF-8 text.");
      return true;
    }
    const match = ASSIGNMENT.exec(line);
    const key = match?.[1];
    if (match === null || key === undefined) {
      this.#error(number, "is no KEY=value", "Write KEY=value, or begin the line with #.");
      return true;
    }
    const value = this.#value(line.slice(match[0].length), key, number);
    if (!KEY.test(key)) {
      this.#error(
        number,
        `has the key ${JSON.stringify(key)}, which no variable can have`,
        "A key is made of letters, digits and underscores and does not begin with a digit.",
      );
    } else if (value !== null) {
      this.#set(key, value, number);
    }
    return true;
  }

  #value(rest: string, key: string, number: number): string | null {
    const quote = rest[0];
    if (quote === '"' || quote === "'" || quote === "`") return this.#quoted(rest, quote, number);
    const comment = rest.indexOf("#");
    if (comment === -1) return rest.trim();
    if (comment > 0 && !/\s/.test(rest[comment - 1] ?? " ")) {
      this.#warn(
        "ENV_VALUE_CUT",
        number,
        `The value of ${key} ends at a # that no space precedes`,
        "Put the value in quotes if the # belongs to it.",
      );
    }
    return rest.slice(0, comment).trim();
  }

  /** A quoted value, possibly over several lines. Unterminated, it costs its own line only. */
  #quoted(rest: string, quote: string, number: number): string | null {
    const lines: string[] = [];
    let line = rest.slice(1);
    let next = this.#at;
    let end = closingQuote(line, quote);
    while (end === -1) {
      lines.push(line);
      const following = this.#lines[next];
      if (following === undefined) {
        this.#error(number, `opens a quote (${quote}) that is never closed`, "Close the quote.");
        return null;
      }
      line = following;
      next += 1;
      end = closingQuote(line, quote);
    }
    this.#at = next;
    if (!/^\s*(?:#.*)?$/.test(line.slice(end + 1))) {
      this.#error(number, "goes on behind the closing quote", "Put all of the value in quotes.");
      return null;
    }
    const inner = [...lines, line.slice(0, end)].join("\n");
    if (inner.includes("\0")) {
      this.#error(number, "holds a NUL character", "Save the file as UTF-8 text.");
      return null;
    }
    return quote === '"' ? unescapeQuoted(inner) : inner;
  }

  #set(key: string, value: string, line: number): void {
    const earlier = this.entries.get(key);
    if (earlier !== undefined) {
      this.#warn(
        "ENV_KEY_REPEATED",
        line,
        `${key} is set twice, first on line ${earlier.line}; this one counts`,
        "Remove one of them.",
      );
      this.entries.delete(key);
    }
    this.entries.set(key, { value, line });
  }

  #error(line: number, what: string, hint: string): void {
    this.errors.push({
      severity: "error",
      code: "ENV_FILE_INVALID",
      message: `Line ${line} of ${this.#file} ${what}`,
      hint,
      source: { file: this.#file, line },
      exit: EXIT.usage,
    });
  }

  #warn(code: string, line: number, message: string, hint: string): void {
    const source = { file: this.#file, line };
    this.warnings.push({ severity: "warning", code, message, hint, source, exit: EXIT.done });
  }
}

/** Where the quote closes on this line, or -1. A backslash protects a quote in double quotes only. */
function closingQuote(line: string, quote: string): number {
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\" && quote === '"') at += 1;
    else if (line[at] === quote) return at;
  }
  return -1;
}

/** Only what dotenv knows, and an escaped quote; every other backslash stays. */
function unescapeQuoted(inner: string): string {
  return inner.replace(/\\(n|r|")/g, (_, letter: string) =>
    letter === "n" ? "\n" : letter === "r" ? "\r" : '"',
  );
}
