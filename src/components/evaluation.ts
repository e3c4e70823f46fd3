import { fail } from "../model/diagnostic.ts";
import type { AppBuilder } from "./app-builder.ts";
import type { Callee, Locator } from "./call-site.ts";

/** What a component constructor needs to know about the config that is being evaluated. */
export interface Evaluation {
  readonly locator: Locator;
  /** Collects components while `run()` runs; null before and after. */
  builder: AppBuilder | null;
}

let current: Evaluation | null = null;
let applyDepth = 0;

/** Makes `evaluation` the one that globals and constructors speak to. Loads take turns, so there is never a second. */
export function enterEvaluation(evaluation: Evaluation): void {
  current = evaluation;
}

/** Where locations are looked up; null when no config was ever loaded. */
export function currentLocator(): Locator | null {
  return current?.locator ?? null;
}

/**
 * The builder that a new component registers with.
 *
 * @throws DiagnosticError `COMPONENT_IN_APPLY`, `COMPONENT_OUTSIDE_RUN` (exit 2)
 */
export function builderFor(type: string, callee: Callee): AppBuilder {
  if (applyDepth > 0) throw misplaced("COMPONENT_IN_APPLY", type, callee);
  if (current?.builder == null) throw misplaced("COMPONENT_OUTSIDE_RUN", type, callee);
  return current.builder;
}

/** Runs the function of an `.apply`, in which no component may be created. */
export function insideApply<T>(body: () => T): T {
  applyDepth += 1;
  try {
    return body();
  } finally {
    applyDepth -= 1;
  }
}

function misplaced(code: string, type: string, callee: Callee): Error {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, callee);
  const source = current?.locator.locate(trace.stack ?? "", null) ?? null;
  const inApply = code === "COMPONENT_IN_APPLY";
  return fail(code, `${type} is created ${inApply ? "inside .apply()" : "outside of run()"}`, {
    why: inApply
      ? "What exists must be known before anything is deployed; the function of .apply() runs during the deploy."
      : "Components belong to the app that run() describes; elsewhere nothing collects them.",
    hint: inApply
      ? "Create the component outside and pass the output to its options."
      : "Create it in run(), or in a function that run() calls and awaits.",
    ...(source === null ? {} : { source }),
  });
}
