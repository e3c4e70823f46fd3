import type { ResourceState } from "./resource.ts";
import type { Intent, StageFacts } from "./snapshot.ts";
import type { Urn } from "./urn.ts";

/** Who holds or held a stage; enough to tell a live holder from a dead one on the same machine. */
export interface Owner {
  /** `user@host`, for people. */
  readonly who: string;
  readonly pid: number;
  /** When that pid started, in the unit the machine counts it; "" where it cannot be told. */
  readonly pidStart: string;
  /** Identity of the boot and of the pid namespace; "" where they cannot be told. */
  readonly bootId: string;
  readonly pidNamespace: string;
}

export type EpochStatus = "done" | "failed" | "interrupted" | "forced";

/** One fact in a stage's log. docs/state-format.md is the reader's version of this file. */
export type LogRecord =
  | {
      readonly kind: "epoch-start";
      readonly epoch: number;
      readonly owner: Owner;
      readonly command: string;
      readonly lineage: string;
      readonly version: string;
      readonly at: string;
    }
  | { readonly kind: "beat"; readonly at: string }
  | { readonly kind: "facts"; readonly facts: StageFacts }
  | { readonly kind: "intent"; readonly intent: Intent }
  /** Closes an intent. `state`: what exists now; null: nothing exists; absent: as it was before (the call failed). */
  | { readonly kind: "outcome"; readonly intent: string; readonly state?: ResourceState | null }
  /** A change of record without a call: adopt, detach, rename, retain. Replaces the record of its urn and generation. */
  | { readonly kind: "resource"; readonly state: ResourceState }
  /** The record goes; the thing, if any, is no longer ours. */
  | { readonly kind: "forget"; readonly urn: Urn; readonly generation: number }
  | {
      readonly kind: "epoch-end";
      readonly status: EpochStatus;
      /** Slot whose snapshot was written before this record; 0 when there is none. */
      readonly snapshot: number;
      readonly resources: number;
      readonly retained: number;
      /** As in {@link StageFacts}; here too so that listing all stages reads one frame a stage. */
      readonly secrets?: StageFacts["secrets"];
      readonly at: string;
    };
