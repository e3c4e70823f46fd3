import type { JsonObject } from "./json.ts";
import type { Urn } from "./urn.ts";
import type { StoredInputs, ValueObject } from "./value.ts";

/** What the config wants: one resource of one cloud. */
export interface ResourceGoal {
  readonly urn: Urn;
  readonly type: string;
  /** Logical name, unique per type within the stage, for example `Api` or `Api/GET /notes`. */
  readonly name: string;
  /** The component a user wrote that this resource belongs to; what `--allow-destroy` takes. */
  readonly component: string;
  readonly inputs: ValueObject;
  /** In addition to the resources that `inputs` refers to. */
  readonly dependsOn: readonly Urn[];
  /** Earlier names of the same resource: a state under one of them is renamed, not replaced. */
  readonly aliases: readonly Urn[];
}

/**
 * `live`: exists and is used. `deposed`: the old generation of a replacement, to be deleted. `retained`: kept
 * on purpose after its goal went away; adopted by the next goal of that urn. `tainted`: create half failed,
 * to be replaced.
 */
export type ResourceStatus = "live" | "deposed" | "retained" | "tainted";

/** What is known to exist. Immutable: a change makes a new one. */
export interface ResourceState {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly component: string;
  readonly status: ResourceStatus;
  /** 1 for the first; a replacement has the next. With `urn` the key of a record. */
  readonly generation: number;
  /** The urn it was created and tagged under, where an alias has renamed it since. */
  readonly bornAs?: Urn;
  /** The name chosen by us before the create call. */
  readonly physicalName: string;
  /** What the cloud calls it; equals `physicalName` where the cloud lets us name it. */
  readonly id: string;
  /** Null when unknown (settled after a crash): then everything counts as changed. */
  readonly inputs: StoredInputs | null;
  readonly outputs: JsonObject;
  readonly dependsOn: readonly Urn[];
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}
