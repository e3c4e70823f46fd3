import type { Diagnostic } from "./diagnostic.ts";
import type { Json } from "./json.ts";
import type { ResourceGoal, ResourceState } from "./resource.ts";
import type { Urn } from "./urn.ts";

/** One property that differs. Sensitive values are `{"$sealed": ...}`; unknown ones are `{"$unknown": true}`. */
export interface Change {
  /** Dotted path into the inputs, for example `environment.LOG_LEVEL`. */
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly forcesReplace: boolean;
}

interface StepBase {
  /** Unique within the plan: `<action> <urn> <generation>`. */
  readonly id: string;
  readonly urn: Urn;
  readonly generation: number;
  readonly physicalName: string;
  /** Ids of steps that must have succeeded before. */
  readonly after: readonly string[];
}

/**
 * What apply does to one resource. A replacement is two steps: a `create` with `replaces` and a `delete` of the
 * deposed generation. `same` stands in the plan so that dependants can name it; apply does nothing for it.
 * `adopt` takes a retained resource back (and updates it where `changes` says so); `detach` keeps the thing and
 * marks it retained; `rename` moves the record to the goal's urn. None of the last two calls the cloud.
 */
export type Step = StepBase &
  (
    | { readonly action: "same"; readonly goal: ResourceGoal; readonly prior: ResourceState }
    | {
        readonly action: "create";
        readonly goal: ResourceGoal;
        readonly replaces: ResourceState | null;
        readonly changes: readonly Change[];
      }
    | {
        readonly action: "update" | "adopt";
        readonly goal: ResourceGoal;
        readonly prior: ResourceState;
        readonly changes: readonly Change[];
      }
    | {
        readonly action: "delete";
        readonly prior: ResourceState;
        readonly reason: "dropped" | "replaced" | "stage-removed";
      }
    | {
        readonly action: "detach" | "forget";
        readonly prior: ResourceState;
        readonly reason: string;
      }
    | { readonly action: "rename"; readonly goal: ResourceGoal; readonly prior: ResourceState }
  );

/** The whole decision of a deploy or remove. Apply executes it and decides nothing again. */
export interface Plan {
  /** Serial of the snapshot that it was made from; apply refuses another. */
  readonly serial: number;
  readonly steps: readonly Step[];
  readonly warnings: readonly Diagnostic[];
}

/** Counts for people; `same` and `rename` are not changes of the cloud. */
export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly retain: number;
  readonly same: number;
}
