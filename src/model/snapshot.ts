import type { JsonObject } from "./json.ts";
import type { ResourceState } from "./resource.ts";
import type { Urn } from "./urn.ts";

/** What a stage keeps when it is removed; docs/guide/data.md. */
export type Removal = "remove" | "retain" | "retain-all";

/** Which account and region a stage lives in; written at its first deploy, compared at every later command. */
export interface CloudIdentity {
  readonly cloud: string;
  readonly account: string;
  readonly region: string;
}

/** Facts about the whole stage, replaced as one by each deploy that changes them. */
export interface StageFacts {
  readonly identity: CloudIdentity;
  readonly removal: Removal;
  readonly protect: boolean;
  /** Outputs of the config's `run()`, sensitive ones as `{"$sealed": ...}`. */
  readonly outputs: JsonObject;
  /** Serial of the secrets logs that the last successful deploy used; null before the first and after a removal. */
  readonly secrets: { readonly stage: number; readonly fallback: number } | null;
}

/** A mutation that is about to be tried, durable before the call. */
export interface Intent {
  /** Unique within the stage: `<epoch>.<number>`. */
  readonly id: string;
  readonly operation: "create" | "update" | "delete";
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly component: string;
  readonly generation: number;
  readonly physicalName: string;
  /** Pure function of app lineage, stage, urn and generation: a repeat of the call is recognised by it. */
  readonly token: string;
  /** Keyed hash of the resolved inputs; for deletes the empty string. */
  readonly inputsHash: string;
  readonly dependsOn: readonly Urn[];
  /** ISO 8601. */
  readonly at: string;
}

/** Everything known about a stage at one serial. Replayed from the log; never edited in place. */
export interface Snapshot {
  readonly format: 1;
  readonly app: string;
  readonly stage: string;
  /** Random identity of this stage's first deploy, 32 hex digits; empty before it. */
  readonly lineage: string;
  /** Slot of the last frame replayed; 0 for a stage that never was. */
  readonly serial: number;
  readonly facts: StageFacts | null;
  /** By urn, then generation. */
  readonly resources: readonly ResourceState[];
  /** Intents without an outcome. */
  readonly openIntents: readonly Intent[];
  /** ISO 8601 of the last epoch's end; null before the first. */
  readonly updatedAt: string | null;
}

/** The snapshot of a stage of which nothing is recorded. */
export function emptySnapshot(app: string, stage: string): Snapshot {
  return {
    format: 1,
    app,
    stage,
    lineage: "",
    serial: 0,
    facts: null,
    resources: [],
    openIntents: [],
    updatedAt: null,
  };
}
