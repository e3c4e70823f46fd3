import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Step } from "../../model/plan.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { Urn } from "../../model/urn.ts";
import type { Graph } from "../graph/graph.ts";
import type { Handlers } from "../handler.ts";
import type { Seal } from "../values/render.ts";
import type { Evaluation } from "../values/resolve.ts";
import type { PlannedOutputs } from "./planned-outputs.ts";
import type { Policy } from "./policy.ts";
import type { StateIndex } from "./state-index.ts";

/** What a plan is made from. Equal requests make equal plans, byte by byte. */
export interface PlanRequest {
  readonly graph: Graph;
  readonly snapshot: Snapshot;
  readonly handlers: Handlers;
  readonly policy: Policy;
  readonly seal: Seal;
}

/** A plan while it is made. */
export interface Draft {
  /** With the snapshot as it is once all renames are done. */
  readonly request: PlanRequest;
  readonly index: StateIndex;
  readonly steps: Step[];
  /** The step after which the resource of a goal is as the goal wants it. */
  readonly settledBy: Map<Urn, string>;
  readonly outputs: Map<Urn, PlannedOutputs>;
  /** Finds the outputs behind refs among those planned so far. */
  readonly lookup: Evaluation["lookup"];
  /** Old generations that go once their successors are there. */
  readonly replaced: ResourceState[];
  /** Components whose guarded data would have to be replaced. */
  readonly refused: Set<string>;
  readonly warnings: Diagnostic[];
}

export function stepId(action: Step["action"], urn: Urn, generation: number): string {
  return `${action} ${urn} ${generation}`;
}
