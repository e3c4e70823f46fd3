import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, EXIT, fail } from "../model/diagnostic.ts";
import { type ParsedEnv, parseEnv } from "./parse-env.ts";

/** The process environment, or one that a test made up. */
export type ProcessEnv = Readonly<Record<string, string | undefined>>;

/** Where the value of a variable came from, without the value. */
export interface EnvExplanation {
  readonly key: string;
  /** `environment`, or the name of the file. */
  readonly source: string;
  /** Line in that file; null for the environment. */
  readonly line: number | null;
  /** Files that set it too and lost. */
  readonly overridden: readonly string[];
}

export interface LoadedEnv {
  /** The process environment with the files' values where it has none. */
  readonly env: Readonly<Record<string, string>>;
  /** Every variable that a file names, by key. */
  readonly explain: readonly EnvExplanation[];
  readonly warnings: readonly Diagnostic[];
  /** Absolute paths of the files that were looked for, whether they exist or not. */
  readonly files: readonly string[];
}

/** Variables that steer the tool's own process; a file in a repository must not. */
const NEVER_FROM_FILES = new Set([
  "NODE_OPTIONS",
  "PATH",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
  "DYLD_LIBRARY_PATH",
]);

/**
 * Reads one `.env` file; null when there is none.
 *
 * @throws DiagnosticError `ENV_FILE_UNREADABLE`, `ENV_FILE_INVALID` (exit 2)
 */
export function readEnvFile(file: string): ParsedEnv | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    // A folder cannot be read, and reading a pipe would wait for ever.
    if (!stat.isFile()) throw unreadable(file, "It is not a file.");
    return parseEnv(decode(readFileSync(file), file), file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (typeof code !== "string") throw error;
    throw unreadable(file, `The operating system says ${code}.`);
  }
}

function decode(bytes: Uint8Array, file: string): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw unreadable(file, "It is UTF-16 text.", "Save it as UTF-8.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable(file, "It is not UTF-8 text.", "Save it as UTF-8.");
  }
}

function unreadable(file: string, why: string, hint = "Check what it is and its rights."): Error {
  return fail("ENV_FILE_UNREADABLE", `${file} cannot be read`, {
    why,
    hint,
    source: { file, line: 1 },
  });
}

/** The file that every stage shares. */
export function baseEnvFile(folder: string): string {
  return join(folder, ".env");
}

/**
 * The environment of the config of one stage: the process environment, then `.env`, then `.env.<stage>`.
 *
 * @param folder the project's folder
 * @throws DiagnosticError `ENV_FILE_UNREADABLE`, `ENV_FILE_INVALID` (exit 2)
 */
export function loadEnvFiles(folder: string, stage: string, processEnv: ProcessEnv): LoadedEnv {
  const files = [".env", `.env.${stage}`];
  const parsed = files.flatMap((name) => {
    const found = readEnvFile(join(folder, name));
    return found === null ? [] : [{ name, file: join(folder, name), parsed: found }];
  });
  const warnings: Diagnostic[] = parsed.flatMap((each) => each.parsed.warnings);
  const chosen = new Map<string, { value: string; source: string; line: number; also: string[] }>();
  for (const { name, file, parsed: env } of parsed) {
    for (const [key, { value, line }] of env.entries) {
      const refusal = refusalOf(key, name);
      const first = chosen.get(key);
      if (refusal !== null) {
        warnings.push(
          warning("ENV_KEY_IGNORED", `${key} in ${name} is ignored`, refusal, file, line),
        );
      } else if (first === undefined) {
        chosen.set(key, { value, source: name, line, also: [] });
      } else {
        first.also.push(name);
        const message = `${key} in ${name} has no effect: ${first.source} sets it too and wins`;
        warnings.push(warning("ENV_KEY_OVERRIDDEN", message, null, file, line));
      }
    }
  }
  return {
    env: merge(processEnv, chosen),
    explain: explain(processEnv, chosen),
    warnings,
    files: files.map((name) => join(folder, name)),
  };
}

function refusalOf(key: string, file: string): string | null {
  if (NEVER_FROM_FILES.has(key)) {
    return "It steers the tool itself; set it in the environment of the process.";
  }
  if (key === "SCRIM_STAGE" && file !== ".env") {
    return "The stage was already chosen when this file was read; it counts in .env only.";
  }
  return null;
}

type Chosen = ReadonlyMap<
  string,
  {
    readonly value: string;
    readonly source: string;
    readonly line: number;
    readonly also: readonly string[];
  }
>;

function merge(processEnv: ProcessEnv, chosen: Chosen): Readonly<Record<string, string>> {
  // Without a prototype, so that a variable named __proto__ is a variable.
  const env: Record<string, string> = Object.create(null);
  for (const [key, { value }] of chosen) env[key] = value;
  for (const [key, value] of Object.entries(processEnv)) if (value !== undefined) env[key] = value;
  return env;
}

function explain(processEnv: ProcessEnv, chosen: Chosen): readonly EnvExplanation[] {
  return [...chosen]
    .map(([key, { source, line, also }]) =>
      processEnv[key] === undefined
        ? { key, source, line, overridden: also }
        : { key, source: "environment", line: null, overridden: [source, ...also] },
    )
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function warning(
  code: string,
  message: string,
  why: string | null,
  file: string,
  line: number,
): Diagnostic {
  const rest = why === null ? {} : { why };
  return { severity: "warning", code, message, ...rest, source: { file, line }, exit: EXIT.done };
}
