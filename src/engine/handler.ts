import type { Json, JsonObject } from "../model/json.ts";
import type { Urn } from "../model/urn.ts";
import type { Clock } from "../model/world.ts";

/**
 * How a resource whose create was interrupted is found again (docs/architecture.md, Crash safety).
 * `unique-name`: our name is unique and a repeat errors. `idempotent`: a repeat of the same put is harmless.
 * `token`: the cloud recognises our token. `server-named`: found by tags only. `secret-once`: the answer cannot
 * be had again, so what is found is deleted and made anew.
 */
export type RecoveryClass = "unique-name" | "idempotent" | "token" | "server-named" | "secret-once";

/** Which resource a call is about, and what to work with. */
export interface HandlerContext {
  readonly urn: Urn;
  readonly physicalName: string;
  readonly token: string;
  /** Ownership tags, written by the create call itself and compared by `read`. */
  readonly tags: OwnershipTags;
  /**
   * Number of the epoch that makes the call. A cloud that can refuses a call of an earlier epoch than it has seen: it
   * was sent by a process that slept while another took the stage over.
   */
  readonly epoch?: number;
  /**
   * Outputs of the resources that it depends on, as far as they are known. What is a part of another resource, such
   * as a route of an API, and has no tags of its own, is looked for there while its id is unknown.
   */
  readonly dependencies?: readonly Dependency[];
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export interface Dependency {
  readonly urn: Urn;
  readonly outputs: JsonObject;
}

export interface OwnershipTags {
  readonly "scrim:app": string;
  readonly "scrim:stage": string;
  readonly "scrim:lineage": string;
  readonly "scrim:urn": string;
  readonly "scrim:generation": string;
}

/** The five answers a handler may give; one loop in `engine/apply` interprets them. */
export type HandlerResult =
  /** Exists and is ready. `id` is what the cloud calls it. */
  | { readonly kind: "done"; readonly id: string; readonly outputs: JsonObject }
  /** The call was accepted; ask again with `read` after `afterMs`. `id` as soon as it is known. */
  | {
      readonly kind: "pending";
      readonly id: string;
      readonly afterMs: number;
      readonly reason: string;
    }
  /** The call was refused for a reason that passes, or did a part of its work; call again. */
  | Retry
  /** It does not exist. For a delete that is success. */
  | { readonly kind: "gone" }
  /** It exists and its tags name another owner. Nothing was changed. */
  | { readonly kind: "foreign"; readonly owner: string };

export interface Retry {
  readonly kind: "retry";
  readonly reason: string;
  readonly afterMs: number;
  /**
   * For how long this may go on. Without it the number of calls is bounded; with it, only the time since the first,
   * for what is known to take long.
   */
  readonly lastsMs?: number;
  /** Something was changed already, by this call or an earlier one, so giving up leaves more than was there before. */
  readonly partly?: true;
}

/** A resolved value on its way to the cloud: plain JSON, secrets in clear. Never stored, never printed. */
export type Inputs = JsonObject;

/** One resource type of one cloud, in one file. Knows no retries, guards or waiting. */
export interface ResourceHandler {
  readonly type: string;
  readonly recovery: RecoveryClass;
  /** Whether it holds what people keep (objects, items, users); such resources are guarded. */
  readonly data: boolean;
  /** What this cloud allows as a physical name of this type. */
  readonly naming: { readonly maxLength: number; readonly lowerCase: boolean };
  /** For how long after a create a missing answer may still turn into the thing. 0 where reads are exact. */
  readonly consistencyWindowMs: number;
  /**
   * Which of the changed top-level input keys force a replacement. Pure. `before` is null when unknown.
   * Values may be `{"$sealed": ...}` or `{"$unknown": true}`.
   */
  replaces(
    changedKeys: readonly string[],
    before: JsonObject | null,
    after: JsonObject,
  ): readonly string[];
  /**
   * Outputs that can be told before the resource exists, from its physical name and its (partly unknown) inputs;
   * they let dependants be planned exactly. Pure. Outputs it leaves out are known after apply.
   */
  predict?(physicalName: string, inputs: JsonObject): JsonObject;
  /**
   * Outputs that an update never changes (an id, an ARN), so that dependants are planned exactly while this resource
   * is updated. Predicted outputs need not be listed.
   */
  readonly stableOutputs?: readonly string[];
  /**
   * Outputs that nobody may read in state, such as the secret of a client. The engine never sees them in clear:
   * lowering opens them with `LoweringContext.open` where something uses them.
   */
  readonly secretOutputs?: readonly string[];
  /**
   * Looks for the resource: by `id`, or by physical name or tags when `id` is null. `inputs`, where the cloud tells
   * them, are compared with the recorded ones by top-level key to find drift.
   *
   * @throws DiagnosticError `RESOURCE_BROKEN` when it exists and can never become ready: a create that ends so is
   * recorded as tainted, and the next deploy replaces it. Whatever else is thrown, here and by the calls below, leaves
   * the outcome unknown; a DiagnosticError is not tried again.
   */
  read(
    context: HandlerContext,
    id: string | null,
  ): Promise<HandlerResult & { readonly inputs?: Json }>;
  create(context: HandlerContext, inputs: Inputs): Promise<HandlerResult>;
  /** A full put of the desired state wherever the cloud allows it, so that a repeat is harmless. */
  update(context: HandlerContext, id: string, inputs: Inputs): Promise<HandlerResult>;
  delete(context: HandlerContext, id: string): Promise<HandlerResult>;
}

/** The handlers of one cloud, by type. */
export type Handlers = ReadonlyMap<string, ResourceHandler>;
