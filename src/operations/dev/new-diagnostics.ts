import type { Diagnostic } from "../../model/diagnostic.ts";

/** Keeps a warning that comes with every change from being told with every change. */
export class NewDiagnostics {
  #known: ReadonlySet<string> = new Set();

  /** Those that were not among the last ones. */
  of(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const before = this.#known;
    const keyed = new Map(diagnostics.map((each) => [JSON.stringify(each), each]));
    this.#known = new Set(keyed.keys());
    return [...keyed].flatMap(([key, each]) => (before.has(key) ? [] : [each]));
  }
}
