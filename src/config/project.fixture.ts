import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { EvaluatedApp } from "../components/node.ts";
import { type Diagnostic, DiagnosticError } from "../model/diagnostic.ts";
import { type LoadedConfig, loadApp } from "./load.ts";

/** A temporary folder with these files, by relative path; deleted when the test is over. */
export function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "scrim config-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A config whose `app()` is complete and whose `run()` has this body, from line 4 of the file on. */
export function configWith(run: string, before = ""): string {
  return [
    before,
    `export default $config({`,
    `  app: () => ({ name: "notes", home: "local", removal: "remove" }), async run() {`,
    run,
    `}});`,
    "",
  ].join("\n");
}

/** Loads a config text for stage `alice` with an environment of its own. */
export function load(config: string, env: Readonly<Record<string, string>> = {}) {
  const folder = projectWith({ "scrim.config.ts": config });
  return loadFrom(folder, env);
}

export function loadFrom(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<LoadedConfig> {
  return loadApp({ configFile: join(folder, "scrim.config.ts"), stage: "alice", env });
}

/** The app that a body of `run()` describes. */
export async function evaluate(run: string): Promise<EvaluatedApp> {
  const loaded = await load(configWith(run));
  return loaded.evaluate();
}

/** The problems that a promise is rejected with. */
export async function problemsOf(work: Promise<unknown>): Promise<readonly Diagnostic[]> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The first of them, with only the line of its place. */
export async function problemOf(
  work: Promise<unknown>,
): Promise<Diagnostic & { readonly line: number | undefined }> {
  const [first] = await problemsOf(work);
  if (first === undefined) throw new Error("an error without a problem");
  return { ...first, line: first.source?.line };
}
