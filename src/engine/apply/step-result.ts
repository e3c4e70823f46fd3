import type { Diagnostic } from "../../model/diagnostic.ts";

/** What became of one step. */
export type StepResult =
  | { readonly kind: "done" }
  /** It turned out that nothing had to be changed. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly diagnostic: Diagnostic };

export const DONE: StepResult = { kind: "done" };
export const UNCHANGED: StepResult = { kind: "unchanged" };
