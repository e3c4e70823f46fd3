import type { FunctionSpec } from "../components/node.ts";
import { type Diagnostic, DiagnosticError } from "../model/diagnostic.ts";
import type { Bundle } from "./bundle.ts";
import { Bundler } from "./bundler.ts";

export interface BundleFunctionsOptions {
  /** Absolute path of the config's folder; handlers lie in it or below. */
  readonly projectRoot: string;
  readonly specs: readonly FunctionSpec[];
  /** Absolute path of `.scrim/cache`. */
  readonly cacheFolder: string;
  readonly signal?: AbortSignal;
  readonly onWarning?: (warning: Diagnostic) => void;
}

/**
 * Bundles every function, or tells every problem there is. Functions with the same entry and settings share one
 * build; what has not changed since an earlier run is taken from the cache without loading esbuild.
 *
 * @throws DiagnosticError (exit 2) with all problems of all functions, each told once
 */
export async function bundleFunctions(
  options: BundleFunctionsOptions,
): Promise<Map<FunctionSpec, Bundle>> {
  const bundler = new Bundler(options);
  const bundles = new Map<FunctionSpec, Bundle>();
  const problems = new Map<string, Diagnostic>();
  const warnings = new Map<string, Diagnostic>();
  for (const [spec, outcome] of await bundler.bundle(options.specs, options.signal)) {
    if ("problems" in outcome) {
      for (const problem of outcome.problems) problems.set(identity(problem), problem);
      continue;
    }
    bundles.set(spec, outcome.bundle);
    for (const warning of outcome.warnings) warnings.set(identity(warning), warning);
  }
  // What did build is kept, so that the next try builds only what was wrong.
  bundler.save();
  for (const warning of warnings.values()) options.onWarning?.(warning);
  const [first, ...more] = problems.values();
  if (first !== undefined) throw new DiagnosticError(first, ...more);
  return bundles;
}

/** Two functions that import the same broken file have one problem. */
function identity({ code, message, source }: Diagnostic): string {
  return JSON.stringify([code, message, source?.file, source?.line, source?.column]);
}
