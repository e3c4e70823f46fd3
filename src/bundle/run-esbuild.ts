import type { BuildResult, Plugin } from "esbuild";
import { type Diagnostic, DiagnosticError, EXIT } from "../model/diagnostic.ts";
import { type BuildOutput, readBuildOutput } from "./build-output.ts";
import type { BuildUnit } from "./build-unit.ts";
import { composedPath, composingPlugin } from "./composed-entry.ts";
import { esbuildOptions } from "./esbuild-options.ts";
import { esbuildProblems, isBuildFailure } from "./esbuild-problem.ts";

/** What became of one unit. */
export type BuildAnswer =
  | { readonly output: BuildOutput; readonly warnings: readonly Diagnostic[] }
  | { readonly problems: readonly Diagnostic[] };

/** Bundles units; a problem of the user's code is an answer. */
export type RunEsbuild = (
  projectRoot: string,
  units: readonly BuildUnit[],
  signal?: AbortSignal,
) => Promise<ReadonlyMap<BuildUnit, BuildAnswer>>;

/** One call for many entries is four times as fast as many calls; its outputs lie in memory all at once. */
const ENTRIES_PER_CALL = 20;
const CALLS_AT_ONCE = 4;

/** Name of an entry's output; no source is called so, hence esbuild never sees a conflict. */
const OUTPUT = "__scrim_output_";

/**
 * Bundles units with esbuild, which is loaded here, at the first unit that no cache has.
 *
 * @throws the signal's reason
 */
export const runEsbuild: RunEsbuild = async (projectRoot, units, signal) => {
  const answers = new Map<BuildUnit, BuildAnswer>();
  for (const batch of batches(units)) {
    signal?.throwIfAborted();
    const together = await buildTogether(projectRoot, batch);
    if (together !== null) {
      for (const [unit, answer] of together) answers.set(unit, answer);
      continue;
    }
    // One call fails as a whole. Alone, each unit tells its own problems.
    for (let at = 0; at < batch.length; at += CALLS_AT_ONCE) {
      signal?.throwIfAborted();
      const some = batch.slice(at, at + CALLS_AT_ONCE);
      const results = await Promise.all(some.map((unit) => buildAlone(projectRoot, unit)));
      for (const [index, unit] of some.entries()) {
        const answer = results[index];
        if (answer !== undefined) answers.set(unit, answer);
      }
    }
  }
  return answers;
};

/** Units with the same settings, in the order they came, in groups of a bounded size. */
function* batches(units: readonly BuildUnit[]): Iterable<readonly BuildUnit[]> {
  const groups = new Map<string, BuildUnit[]>();
  for (const unit of units) {
    const { minify, sourcemap, external, loader, banner } = unit.settings;
    const group =
      unit.commonJsExport !== null
        ? unit.key
        : JSON.stringify([minify, sourcemap, external, Object.entries(loader), banner]);
    groups.set(group, [...(groups.get(group) ?? []), unit]);
  }
  for (const group of groups.values()) {
    for (let at = 0; at < group.length; at += ENTRIES_PER_CALL) {
      yield group.slice(at, at + ENTRIES_PER_CALL);
    }
  }
}

/** Null when something is wrong with one of several. */
async function buildTogether(
  projectRoot: string,
  batch: readonly BuildUnit[],
): Promise<ReadonlyMap<BuildUnit, BuildAnswer> | null> {
  const [first] = batch;
  if (first === undefined) return new Map();
  if (batch.length === 1) return new Map([[first, await buildAlone(projectRoot, first)]]);
  const { build } = await import("esbuild");
  try {
    const result = await build({
      ...esbuildOptions(projectRoot, first.spec),
      entryPoints: batch.map((unit, index) => ({ in: pathOf(unit), out: OUTPUT + index })),
      plugins: pluginsFor(projectRoot, batch),
    });
    // A warning of a shared call cannot be told to belong to one function.
    if (result.warnings.length > 0) return null;
    return new Map(
      batch.map((unit, index) => [
        unit,
        { output: readBuildOutput(projectRoot, OUTPUT + index, result), warnings: [] },
      ]),
    );
  } catch (error) {
    if (isBuildFailure(error) || error instanceof DiagnosticError) return null;
    throw error;
  }
}

async function buildAlone(projectRoot: string, unit: BuildUnit): Promise<BuildAnswer> {
  try {
    const { build } = await import("esbuild");
    const options = esbuildOptions(projectRoot, unit.spec);
    const result = await build({ ...options, ...entryOf(projectRoot, unit) });
    return readResult(projectRoot, unit, result);
  } catch (error) {
    return { problems: problemsOf(projectRoot, unit, error) };
  }
}

/** The entry point of a call for one unit. */
export function entryOf(projectRoot: string, unit: BuildUnit) {
  const { entry, commonJsExport } = unit;
  const out = `${OUTPUT}0`;
  if (commonJsExport === null) {
    const plugins = pluginsFor(projectRoot, [unit]);
    return { entryPoints: [{ in: pathOf(unit), out }], plugins };
  }
  const from = JSON.stringify(`./${entry}`);
  // A CommonJS module's exports are known only when it runs, so a missing one is told then.
  const contents = [
    `import * as module from ${from};`,
    `const chosen = module[${JSON.stringify(commonJsExport)}];`,
    `if (chosen === undefined) throw new Error(${JSON.stringify(`${entry} exports no ${commonJsExport}`)});`,
    commonJsExport === "default"
      ? "export default chosen;"
      : `export { chosen as ${commonJsExport} };`,
  ].join("\n");
  return {
    stdin: { contents, resolveDir: projectRoot, sourcefile: `${OUTPUT}entry.js` },
    entryNames: out,
  };
}

function pathOf({ entry, composed }: BuildUnit): string {
  return composed === null ? `./${entry}` : composedPath(composed);
}

/** A plugin costs calls into esbuild and back, so there is none where there is nothing to compose. */
function pluginsFor(projectRoot: string, units: readonly BuildUnit[]): Plugin[] {
  const composed = units.flatMap((unit) => unit.composed ?? []);
  return composed.length === 0 ? [] : [composingPlugin(projectRoot, composed)];
}

/** What one call for one unit gave. */
export function readResult(
  projectRoot: string,
  unit: BuildUnit,
  result: BuildResult<{ metafile: true; write: false }>,
): BuildAnswer {
  return {
    output: readBuildOutput(projectRoot, `${OUTPUT}0`, result),
    warnings: esbuildProblems(projectRoot, unit.spec, result.warnings, "warning"),
  };
}

/** @throws whatever is not about the user's code */
export function problemsOf(
  projectRoot: string,
  unit: BuildUnit,
  error: unknown,
): readonly Diagnostic[] {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (!isBuildFailure(error)) throw error;
  const problems = esbuildProblems(projectRoot, unit.spec, error.errors, "error");
  if (problems.length > 0) return problems;
  const { handler, source } = unit.spec;
  return [
    {
      severity: "error",
      code: "BUNDLE_FAILED",
      message: `Cannot bundle handler ${JSON.stringify(handler)}`,
      why: error.message,
      exit: EXIT.usage,
      ...(source && { source }),
    },
  ];
}
