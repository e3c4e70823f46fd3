import { isAbsolute, relative } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { safeLines } from "./safe-text.ts";
import type { Style } from "./style.ts";

export interface DiagnosticTextOptions {
  readonly style: Style;
  /** Paths inside this folder are shown relative to it. */
  readonly cwd: string;
  /** Adds the stable code. */
  readonly verbose?: boolean;
}

/**
 * A problem, told in up to five parts:
 *
 *     Error: src/notes.ts exports no creat
 *       Why: Handler "src/notes.creat" needs it; the file exports create.
 *       Fix: Did you mean create?
 *        At: scrim.config.ts:12:5
 */
export function diagnosticText(diagnostic: Diagnostic, options: DiagnosticTextOptions): string {
  const { style } = options;
  const error = diagnostic.severity === "error";
  const label = error ? style.red("Error:") : style.yellow("Warning:");
  const [first = "", ...rest] = safeLines(diagnostic.message);
  const lines = [`${label} ${style.bold(first)}`, ...rest.map((line) => `       ${line}`)];
  const part = (name: string, text: string | undefined) => {
    if (text === undefined || text === "") return;
    const [head = "", ...tail] = safeLines(text);
    lines.push(`${style.dim(`${name.padStart(5)}:`)} ${head}`);
    lines.push(...tail.map((line) => `       ${line}`));
  };
  part("Why", diagnostic.why);
  part("Fix", diagnostic.hint);
  part("At", placeText(diagnostic, options.cwd));
  if (options.verbose === true) part("Code", diagnostic.code);
  return `${lines.join("\n")}\n`;
}

/** `file:line:column`, as editors and terminals make links of. */
function placeText({ source }: Diagnostic, cwd: string): string | undefined {
  if (source === undefined) return undefined;
  const short = isAbsolute(source.file) ? relative(cwd, source.file) : source.file;
  const file = short.startsWith("..") || short === "" ? source.file : short;
  return [file, source.line, source.column].filter((part) => part !== undefined).join(":");
}
