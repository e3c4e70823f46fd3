import { join } from "node:path";
import type { BuildFailure, Message } from "esbuild";
import type { FunctionSpec } from "../components/node.ts";
import type { Diagnostic, SourceLocation } from "../model/diagnostic.ts";
import { EXIT } from "../model/diagnostic.ts";
import { isAuthorizerImport, isComposedPath } from "./composed-entry.ts";

/** Whether esbuild refused the code, as opposed to failing itself. */
export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

/** What esbuild says about the user's code, as diagnostics at the place in that code. */
export function esbuildProblems(
  projectRoot: string,
  spec: FunctionSpec,
  messages: readonly Message[],
  severity: "error" | "warning",
): readonly Diagnostic[] {
  return messages.map((message) => {
    const missing = missingExport(message, spec);
    if (missing !== null) return { severity, exit: EXIT.usage, ...missing };
    const source = locate(projectRoot, message) ?? spec.source;
    return {
      severity,
      exit: EXIT.usage,
      ...explain(message, spec),
      ...(source && { source }),
    };
  });
}

/** In a composed entry, whose imports are what the config names. */
function missingExport(
  message: Message,
  spec: FunctionSpec,
): Omit<Diagnostic, "severity" | "exit"> | null {
  const [, file, name] =
    /^No matching export in "(.*)" for import "(.*)"$/.exec(message.text) ?? [];
  const { location, notes } = message;
  if (location === null || file === undefined || name === undefined) return null;
  if (!isComposedPath(location.file)) return null;
  const owner = isAuthorizerImport(location.lineText) && spec.authorizer ? spec.authorizer : spec;
  const meant = /^Did you mean to import "(.*)" instead\?$/.exec(notes[0]?.text ?? "")?.[1];
  return {
    code: "HANDLER_EXPORT_MISSING",
    message: `${file} exports no ${name}`,
    why: `Handler ${quoted(owner)} needs it.`,
    hint: meant === undefined ? "Export it, or correct the name." : `Did you mean ${meant}?`,
    ...(owner.source && { source: owner.source }),
  };
}

type Explanation = Pick<Diagnostic, "code" | "message" | "why" | "hint">;

function explain(message: Message, spec: FunctionSpec): Explanation {
  const { text } = message;
  const unresolved = /^Could not resolve "(.*)"/.exec(text)?.[1];
  if (unresolved !== undefined) return unresolvedImport(unresolved, spec);
  const unloadable = /^No loader is configured for "(.*)" files: (.*)$/.exec(text);
  if (unloadable?.[1] === ".node") return nativeModule(unloadable[2] ?? "", spec);
  if (unloadable?.[1] !== undefined) {
    return {
      code: "BUNDLE_LOADER_MISSING",
      message: `Cannot bundle ${unloadable[2]}`,
      why: `It is not known what a ${unloadable[1]} file is in ${quoted(spec)}.`,
      hint: `Say it under nodejs.loader, such as { "${unloadable[1]}": "text" }.`,
    };
  }
  return {
    code: "BUNDLE_FAILED",
    message: text,
    why: [`It is part of handler ${quoted(spec)}.`, ...message.notes.map((note) => note.text)]
      .slice(0, 4)
      .join(" "),
  };
}

function unresolvedImport(wanted: string, spec: FunctionSpec): Explanation {
  const isFile = /^\.{0,2}\//.test(wanted);
  return {
    code: "BUNDLE_IMPORT_UNRESOLVED",
    message: `Cannot find ${JSON.stringify(wanted)}`,
    why: `Handler ${quoted(spec)} imports it.`,
    hint: isFile
      ? "Check the path; it starts at the importing file, and case matters."
      : `Run npm install ${packageOf(wanted)}, or list it under nodejs.external when the runtime has it.`,
  };
}

function nativeModule(file: string, spec: FunctionSpec): Explanation {
  const inPackage = file.lastIndexOf("node_modules/");
  const name = inPackage < 0 ? file : packageOf(file.slice(inPackage + "node_modules/".length));
  return {
    code: "BUNDLE_NATIVE_MODULE",
    message: `${name} has native code, which cannot be bundled`,
    why: `Handler ${quoted(spec)} loads ${file}, machine code for one system only.`,
    hint: `Use a package without native code, or list "${name}" under nodejs.external and bring it along with nodejs.copyFiles.`,
  };
}

function packageOf(path: string): string {
  const [scope = "", name] = path.split("/");
  return scope.startsWith("@") && name !== undefined ? `${scope}/${name}` : scope;
}

function locate(projectRoot: string, { location }: Message): SourceLocation | null {
  if (location === null || location.file === "" || location.file.startsWith("<")) return null;
  if (isComposedPath(location.file)) return null;
  // esbuild counts columns from 0.
  return {
    file: join(projectRoot, location.file),
    line: location.line,
    column: location.column + 1,
  };
}

function quoted(spec: FunctionSpec): string {
  return JSON.stringify(spec.handler);
}
