import type {
  HandlerContext,
  HandlerResult,
  Inputs,
  ResourceHandler,
  Retry,
} from "../../../engine/handler.ts";
import { DiagnosticError, EXIT, fail } from "../../../model/diagnostic.ts";
import type { JsonObject } from "../../../model/json.ts";
import { finalRefusal } from "./final-refusal.ts";
import { areOurs, ownerIn, type Tags } from "./ownership.ts";
import { passingRefusal } from "./passing-refusal.ts";

/** What is there. */
export interface Found<Thing> {
  readonly id: string;
  /** Null for what is a part of something that is ours. */
  readonly tags: Tags | null;
  readonly outputs: JsonObject;
  /** Why it cannot be used or changed yet; null when it can. */
  readonly pending: string | null;
  /** Why it can never be used; null or absent when it can. */
  readonly broken?: string | null;
  /** As the service describes it. */
  readonly thing: Thing;
  /** As in `ResourceHandler.read`. */
  readonly inputs?: JsonObject;
}

/** What is waited for before the next step. */
export type Wait = Omit<Retry, "kind" | "partly">;

/** Told right after each call that changed something. */
export type Changed = () => void;

/** What differs from type to type. */
export interface AwsResource<Thing>
  extends Pick<
    ResourceHandler,
    | "type"
    | "recovery"
    | "data"
    | "naming"
    | "consistencyWindowMs"
    | "replaces"
    | "predict"
    | "stableOutputs"
    | "secretOutputs"
  > {
  /** Looks for it, by physical name or tags when `id` is null; null when there is none. */
  find(context: HandlerContext, id: string | null): Promise<Found<Thing> | null>;
  /** Makes it, tags included, by one call; null when something has its name already. */
  make(context: HandlerContext, inputs: Inputs): Promise<Found<Thing> | null>;
  /**
   * Takes the next steps from what is there to what is wanted. Called again after what it waits for.
   *
   * @returns null when nothing is left to do
   */
  converge(
    context: HandlerContext,
    found: Found<Thing>,
    inputs: Inputs,
    changed: Changed,
  ): Promise<Wait | null>;
  /** Deletes it; gone already is fine. Called again after what it waits for. */
  erase(context: HandlerContext, found: Found<Thing>, changed: Changed): Promise<Wait | null>;
}

/** How long what is under way already may take; tables with large indexes take longest. */
const UNDER_WAY: Omit<Wait, "reason"> = { afterMs: 500, lastsMs: 6 * 3_600_000 };

/**
 * The handler of a type of AWS. Create makes the thing or finds it made, and then goes the same way as an update: it
 * compares what is there with what is wanted and takes the next step, so that a repeat after a crash goes on where
 * the first try ended.
 */
export function awsResource<Thing>(resource: AwsResource<Thing>): ResourceHandler {
  const { find, make, converge, erase, ...rest } = resource;
  // What this process has made is looked at instead of being sent once more.
  const isMade = new Set<string>();
  const advance = async (
    context: HandlerContext,
    found: Found<Thing>,
    inputs: Inputs,
    changed: Changed,
  ): Promise<HandlerResult> => {
    if (isForeign(context, found)) return foreign(found);
    requireUsable(found);
    if (found.pending !== null) return { kind: "retry", reason: found.pending, ...UNDER_WAY };
    const wait = await converge(context, found, inputs, changed);
    return wait === null ? done(found) : { kind: "retry", ...wait };
  };
  return {
    ...rest,
    read: (context, id) =>
      answering(context, async () => {
        const found = await find(context, id);
        if (found === null) return { kind: "gone" };
        if (isForeign(context, found)) return foreign(found);
        requireUsable(found);
        if (found.pending !== null) return pending(found.id, found.pending);
        return found.inputs === undefined ? done(found) : { ...done(found), inputs: found.inputs };
      }),
    create: (context, inputs) =>
      answering(context, async (changed) => {
        const known = isMade.has(context.token) ? await find(context, null) : null;
        const made = known ?? (await make(context, inputs));
        if (made !== null) changed();
        // To call again is to make another one, so all that a create of this class does is one call.
        if (resource.recovery === "server-named" && made !== null) return answer(made);
        const found = made ?? (await find(context, null));
        if (found === null) return TAKEN;
        isMade.add(context.token);
        return advance(context, found, inputs, changed);
      }),
    update: (context, id, inputs) =>
      answering(context, async (changed) => {
        const found = await find(context, id);
        return found === null ? { kind: "gone" } : advance(context, found, inputs, changed);
      }),
    delete: (context, id) =>
      answering(context, async (changed) => {
        const found = await find(context, id);
        if (found === null) return { kind: "gone" };
        if (isForeign(context, found)) return foreign(found);
        const wait = await erase(context, found, changed);
        if (wait !== null) return { kind: "retry", ...wait };
        // Asked for once more: what was there a moment ago is gone when the service says so.
        return { kind: "pending", id: found.id, afterMs: 0, reason: "being deleted" };
      }),
  };
}

/** Reads what the service's errors mean: what passes is tried again, what is final is told to the user. */
async function answering(
  context: HandlerContext,
  work: (changed: Changed) => Promise<HandlerResult>,
): Promise<HandlerResult> {
  let isChanged = false;
  const partly = (answer: HandlerResult): HandlerResult =>
    answer.kind === "retry" && isChanged ? { ...answer, partly: true } : answer;
  try {
    return partly(
      await work(() => {
        isChanged = true;
      }),
    );
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    const passing = passingRefusal(error);
    if (passing !== null) return partly(passing);
    throw finalRefusal(context.urn, error) ?? error;
  }
}

function isForeign<Thing>(context: HandlerContext, { tags }: Found<Thing>): boolean {
  return tags !== null && !areOurs(tags, context.tags);
}

function foreign<Thing>({ tags }: Found<Thing>): HandlerResult {
  return { kind: "foreign", owner: ownerIn(tags ?? {}) };
}

function requireUsable<Thing>({ id, broken }: Found<Thing>): void {
  if (broken === null || broken === undefined) return;
  throw fail("RESOURCE_BROKEN", `${id} can never be used`, {
    why: broken,
    hint: "Deploy again: it is deleted and made anew.",
    exit: EXIT.failed,
  });
}

/** A name that was taken a moment ago by ourselves can be seen soon. */
const TAKEN: HandlerResult = {
  kind: "retry",
  reason: "Its name is taken by something that cannot be seen with these credentials.",
  afterMs: 500,
};

function answer<Thing>(found: Found<Thing>): HandlerResult {
  return found.pending === null ? done(found) : pending(found.id, found.pending);
}

function done<Thing>({ id, outputs }: Found<Thing>): HandlerResult & { readonly kind: "done" } {
  return { kind: "done", id, outputs };
}

function pending(id: string, reason: string): HandlerResult {
  return { kind: "pending", id, afterMs: 500, reason };
}
