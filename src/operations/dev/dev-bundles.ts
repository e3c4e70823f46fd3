import type { Bundle } from "../../bundle/bundle.ts";
import type { BundleOutcome } from "../../bundle/bundler.ts";
import type { FunctionSpec } from "../../components/node.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { canonicalJson, type Json } from "../../model/json.ts";

/** The newest good bundle of each function of an app, and what is wrong with those that have become worse since. */
export class DevBundles {
  readonly #good = new Map<FunctionSpec, Bundle>();
  readonly #problems = new Map<FunctionSpec, readonly Diagnostic[]>();
  readonly #warnings = new Map<FunctionSpec, readonly Diagnostic[]>();

  /** @param before of the config before this one: a function that is broken keeps the bundle that it had there */
  constructor(outcomes: ReadonlyMap<FunctionSpec, BundleOutcome>, before: DevBundles | null) {
    const had = new Map(before?.all().map(([spec, bundle]) => [identityOf(spec), bundle]));
    for (const [spec, outcome] of outcomes) {
      this.take(spec, outcome);
      const old = had.get(identityOf(spec));
      if ("problems" in outcome && old !== undefined) this.#good.set(spec, old);
    }
  }

  take(spec: FunctionSpec, outcome: BundleOutcome): void {
    if ("problems" in outcome) {
      this.#problems.set(spec, outcome.problems);
      return;
    }
    this.#good.set(spec, outcome.bundle);
    this.#warnings.set(spec, outcome.warnings);
    this.#problems.delete(spec);
  }

  all(): readonly (readonly [FunctionSpec, Bundle])[] {
    return [...this.#good];
  }

  get good(): ReadonlyMap<FunctionSpec, Bundle> {
    return this.#good;
  }

  /** Each once, though several functions may have it. */
  problems(): readonly Diagnostic[] {
    return distinct([...this.#problems.values()].flat());
  }

  /** Each once. */
  warnings(): readonly Diagnostic[] {
    return distinct([...this.#warnings.values()].flat());
  }
}

function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const key = ({ code, message, source }: Diagnostic) => JSON.stringify([code, message, source]);
  return [...new Map(diagnostics.map((each) => [key(each), each])).values()];
}

/**
 * Equal for functions whose bundles are made in the same way of the same files. A route that got an authorizer has
 * nothing in common with the public one it was before.
 */
function identityOf({ handler, bundle, authorizer }: FunctionSpec): string {
  return canonicalJson([handler, bundle as unknown as Json, authorizer?.handler ?? null]);
}
