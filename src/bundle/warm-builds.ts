import type { BuildContext } from "esbuild";
import type { BuildUnit } from "./build-unit.ts";
import { esbuildOptions } from "./esbuild-options.ts";
import {
  type BuildAnswer,
  entryOf,
  problemsOf,
  type RunEsbuild,
  readResult,
  runEsbuild,
} from "./run-esbuild.ts";

/**
 * An incremental build saves about a third of the time of a large bundle but holds its syntax trees in memory, so
 * only the units worked on last are kept. Above this number one shared call is quicker anyway.
 */
const WARM_MAX = 4;

type WarmContext = BuildContext<{ metafile: true; write: false }>;

/** Builds that are repeated often: the last few stay loaded in esbuild. */
export class WarmBuilds {
  /** Least recently used first. */
  readonly #contexts = new Map<string, WarmContext>();

  readonly run: RunEsbuild = async (projectRoot, units, signal) => {
    if (units.length > WARM_MAX) return runEsbuild(projectRoot, units, signal);
    signal?.throwIfAborted();
    const answers = await Promise.all(units.map((unit) => this.#build(projectRoot, unit)));
    await this.#trim();
    return new Map(units.flatMap((unit, index) => pair(unit, answers[index])));
  };

  /** Starts esbuild's own process, so that the first build does not wait for it. */
  async start(): Promise<void> {
    const { transform } = await import("esbuild");
    await transform("");
  }

  async dispose(): Promise<void> {
    const contexts = [...this.#contexts.values()];
    this.#contexts.clear();
    await Promise.all(contexts.map((context) => context.dispose()));
  }

  async #build(projectRoot: string, unit: BuildUnit): Promise<BuildAnswer> {
    try {
      const context = await this.#context(projectRoot, unit);
      return readResult(projectRoot, unit, await context.rebuild());
    } catch (error) {
      return { problems: problemsOf(projectRoot, unit, error) };
    }
  }

  async #context(projectRoot: string, unit: BuildUnit): Promise<WarmContext> {
    const known = this.#contexts.get(unit.key);
    if (known !== undefined) {
      this.#contexts.delete(unit.key);
      this.#contexts.set(unit.key, known);
      return known;
    }
    const { context } = await import("esbuild");
    const options = { ...esbuildOptions(projectRoot, unit.spec), ...entryOf(projectRoot, unit) };
    const made = await context(options);
    this.#contexts.set(unit.key, made);
    return made;
  }

  async #trim(): Promise<void> {
    for (const [key, context] of this.#contexts) {
      if (this.#contexts.size <= WARM_MAX) return;
      this.#contexts.delete(key);
      await context.dispose();
    }
  }
}

function pair(
  unit: BuildUnit,
  answer: BuildAnswer | undefined,
): readonly [BuildUnit, BuildAnswer][] {
  return answer === undefined ? [] : [[unit, answer]];
}
