import type { FunctionSpec } from "../components/node.ts";
import { type DiagnosticError, fail } from "../model/diagnostic.ts";

/** `src/notes.list`, taken apart. */
export interface HandlerPath {
  /** Slash-separated, from the config's folder, without extension: `src/notes`. */
  readonly path: string;
  readonly exportName: string;
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const CODE_EXTENSION = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/**
 * Takes a handler string apart and refuses every form that could name something outside the project.
 *
 * @throws DiagnosticError `HANDLER_INVALID`, `HANDLER_OUTSIDE_PROJECT` (exit 2), at the component's source
 */
export function parseHandler(spec: FunctionSpec): HandlerPath {
  const { handler } = spec;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\x00-\x1f\x7f]/.test(handler)) {
    throw invalid(spec, "It holds a control character.");
  }
  if (handler.includes("\\")) {
    throw invalid(spec, "Folders are separated by / on every system.");
  }
  if (handler.startsWith("/") || /^[A-Za-z]:/.test(handler)) {
    throw outside(spec, "The path is absolute; it has to start at the config's folder.");
  }
  const dot = handler.lastIndexOf(".");
  const base = handler.lastIndexOf("/") + 1;
  if (dot < base) throw invalid(spec, "It names a file but no export.");
  const exportName = handler.slice(dot + 1);
  if (dot === base) throw invalid(spec, "It names an export but no file.");
  if (exportName === "") throw invalid(spec, "The export behind the last dot is missing.");
  if (CODE_EXTENSION.test(handler)) {
    throw invalid(spec, `It names the file ${handler} but no export.`, handler);
  }
  if (!IDENTIFIER.test(exportName)) {
    throw invalid(spec, `${JSON.stringify(exportName)} cannot be the name of an export.`);
  }
  const path = handler.slice(0, dot);
  if (CODE_EXTENSION.test(path)) {
    throw invalid(spec, "The file stands without its extension.", path, exportName);
  }
  return { path: normalize(spec, path), exportName };
}

function normalize(spec: FunctionSpec, path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) {
      throw outside(spec, "The path leaves the config's folder.");
    }
  }
  if (kept.length === 0) throw invalid(spec, "It names an export but no file.");
  return kept.join("/");
}

function invalid(
  spec: FunctionSpec,
  why: string,
  file = "src/notes.ts",
  exportName = "handler",
): DiagnosticError {
  return fail("HANDLER_INVALID", `${JSON.stringify(spec.handler)} is not a handler`, {
    why,
    hint: `Write the file without its extension, then the export, such as "${file.replace(CODE_EXTENSION, "")}.${exportName}".`,
    ...(spec.source && { source: spec.source }),
  });
}

function outside(spec: FunctionSpec, why: string): DiagnosticError {
  return fail(
    "HANDLER_OUTSIDE_PROJECT",
    `Handler ${JSON.stringify(spec.handler)} is outside the project`,
    {
      why,
      hint: "Handlers lie in the folder of scrim.config.ts or below it.",
      ...(spec.source && { source: spec.source }),
    },
  );
}
