import { type Diagnostic, DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Graph } from "../graph/graph.ts";
import type { ResourceHandler } from "../handler.ts";
import type { Policy } from "./policy.ts";

/**
 * Refuses to remove a stage that its state or the current config protects. Operations ask this before anything else.
 *
 * @throws DiagnosticError `STAGE_PROTECTED` (exit 5)
 */
export function assertRemovable(snapshot: Snapshot, protect: boolean): void {
  if (!isProtected(snapshot, protect)) return;
  const by = protect ? "The config protects it" : "The last deploy protected it";
  throw fail("STAGE_PROTECTED", `Cannot remove protected stage ${snapshot.stage}`, {
    why: `${by} (protect: true). Nothing was changed.`,
    hint: protect
      ? "Let the config return protect: false for it and deploy that first."
      : `Deploy it with protect: false first, or run scrim state unprotect ${snapshot.stage}.`,
    exit: EXIT.guarded,
  });
}

/**
 * Refuses a deploy of nothing over a stage that has something: more often a mistake in the config than a wish.
 *
 * @throws DiagnosticError `EMPTY_APP` (exit 2)
 */
export function assertNotEmptied(graph: Graph, snapshot: Snapshot, policy: Policy): void {
  if (policy.mode !== "deploy" || policy.allowEmpty || graph.order.length > 0) return;
  const live = snapshot.resources.filter((state) => state.status === "live").length;
  if (live === 0) return;
  throw fail("EMPTY_APP", `The config defines nothing, and the stage has ${live} resources`, {
    why: "Deploying it would delete everything in the stage.",
    hint: "Mend the config, or run the command again with --allow-empty if this is meant.",
  });
}

/** Whether the current config or the last deploy protects the stage. */
export function isProtected(snapshot: Snapshot, protect: boolean): boolean {
  return protect || snapshot.facts?.protect === true;
}

/**
 * Whether a deploy must not delete or replace what people keep in a resource. One whose create never ended well has
 * held nothing, so it is not guarded.
 */
export function isGuarded(
  state: ResourceState,
  handler: ResourceHandler,
  snapshot: Snapshot,
  policy: Policy,
): boolean {
  if (!handler.data || state.status === "tainted") return false;
  if (policy.allowDestroy.has(state.component)) return false;
  return policy.removal !== "remove" || isProtected(snapshot, policy.protect);
}

/** The refusal of a plan that would replace guarded data, with one problem for each component. */
export function destroyRefused(components: readonly string[], policy: Policy): DiagnosticError {
  const flags = components.map((component) => `--allow-destroy ${component}`).join(" ");
  const [first, ...more] = components.map((component): Diagnostic => {
    return {
      severity: "error",
      code: "DESTROY_REFUSED",
      message: `${component} would have to be replaced, which destroys its data`,
      why: `A property changes that cannot be changed in place, and ${keptBecause(policy)}.`,
      hint: `Undo the change, or run scrim deploy ${flags} to lose the data.`,
      exit: EXIT.guarded,
    };
  });
  if (first === undefined) throw new Error("nothing was refused");
  return new DiagnosticError(first, ...more);
}

/** Why data is kept, in words. */
export function keptBecause(policy: Policy): string {
  return policy.removal === "remove" ? "the stage is protected" : `removal is "${policy.removal}"`;
}
