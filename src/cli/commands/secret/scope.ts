import { fail } from "../../../model/diagnostic.ts";
import type { SecretScope } from "../../../operations/secrets.ts";
import type { StateFlags } from "../../command.ts";
import { stateFlags } from "../../flags.ts";
import { targetOf } from "../../session.ts";

export type ScopeFlags = StateFlags & {
  readonly fallback?: boolean;
};

/** Flags that say whose secrets a command is about. */
export const scopeFlags = {
  ...stateFlags,
  fallback: {
    kind: "boolean",
    optional: true,
    withNegated: false,
    brief: "The fallback that every stage without a value of its own uses",
  },
} as const;

/** @throws DiagnosticError `USAGE` (exit 2) when both a stage and the fallback are named */
export function scopeOf(flags: ScopeFlags): SecretScope {
  if (flags.fallback === true && flags.stage !== undefined) {
    throw fail("USAGE", "--stage and --fallback exclude each other", {
      hint: "Set the value for one stage, or for all that have none of their own.",
    });
  }
  return { target: targetOf(flags), fallback: flags.fallback === true };
}

/** Whose secrets were changed, for people. */
export function scopeText(stage: string, fallback: boolean): string {
  return fallback ? "the fallback" : `stage ${stage}`;
}

/** What a change of secrets needs to take effect, as a command to copy. */
export function effectText(stage: string, fallback: boolean): string {
  return fallback
    ? "Stages that use it take it up with their next scrim deploy."
    : `Run scrim deploy --stage ${stage} to make it take effect.`;
}
