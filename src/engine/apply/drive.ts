import { type Diagnostic, EXIT } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { HandlerContext, HandlerResult } from "../handler.ts";
import { call } from "./call.ts";
import { type Observed, observe } from "./observe.ts";
import { Retries } from "./retries.ts";
import type { Work } from "./work.ts";

/** How a mutation ended. */
export type Driven =
  | { readonly kind: "ready"; readonly id: string; readonly outputs: JsonObject }
  | { readonly kind: "gone" }
  | Failed;

/**
 * A mutation that failed, and what it left: everything as before, a thing that can never be used, or nobody knows
 * (then the intent stays open, and the next run looks).
 */
export interface Failed {
  readonly kind: "failed";
  readonly diagnostic: Diagnostic;
  readonly leaves: "unchanged" | "broken" | "unknown";
  /** Of what is broken. */
  readonly id?: string;
}

/** One mutation of one resource. */
export interface Mutation {
  readonly invoke: (context: HandlerContext) => Promise<HandlerResult>;
  /** Of what is known to exist; null for a create. */
  readonly id: string | null;
  /** What to wait for when the call was accepted. */
  readonly until: "there" | "gone";
  /** Told before a call whose answer was lost is repeated; may end the mutation. */
  readonly afterLost?: () => Promise<Failed | null>;
}

/** The one loop that interprets what handlers answer: it repeats, waits and gives up. Never throws. */
export async function drive(work: Work, mutation: Mutation): Promise<Driven> {
  const retries = new Retries(work.world);
  let doubtful = false;
  for (;;) {
    const answer = await call(work, mutation.invoke);
    const leaves = doubtful ? "unknown" : "unchanged";
    switch (answer.kind) {
      case "done":
        return { kind: "ready", id: answer.id, outputs: answer.outputs };
      case "gone": {
        const end = await confirmGone(work, mutation);
        if (end !== null) return end;
        if (!(await retries.pause(0))) return giveUp(work, "it cannot be seen yet", leaves);
        break;
      }
      case "pending":
        return await waitFor(work, mutation, answer);
      case "foreign":
        return { kind: "failed", diagnostic: foreign(work, answer.owner), leaves };
      case "refused":
        return { kind: "failed", diagnostic: answer.diagnostic, leaves: "unknown" };
      case "lost": {
        doubtful = true;
        if (!(await retries.pause(0))) return giveUp(work, answer.reason, "unknown");
        const end = (await mutation.afterLost?.()) ?? null;
        if (end !== null) return end;
        break;
      }
      case "retry": {
        doubtful ||= answer.partly === true;
        if (answer.lastsMs !== undefined) work.onWait(answer.reason, retries.elapsedMs());
        if (await retries.pause(answer.afterMs, answer.lastsMs)) break;
        return giveUp(work, answer.reason, doubtful ? "unknown" : "unchanged");
      }
    }
  }
}

/**
 * Whether what a call could not find is gone. Where answers lag, what was made a moment ago may not be seen yet, and
 * taking that for gone would lose sight of it for ever.
 *
 * @returns null when it is there after all
 */
async function confirmGone(work: Work, { id }: Mutation): Promise<Driven | null> {
  const windowMs = work.handler.consistencyWindowMs;
  if (id === null || windowMs === 0) return { kind: "gone" };
  const observed = await observe(work, { id, until: "there", windowMs });
  if (observed.kind === "found") return null;
  return observed.kind === "absent" ? { kind: "gone" } : notFound(work, observed);
}

async function waitFor(
  work: Work,
  mutation: Mutation,
  accepted: HandlerResult & { readonly kind: "pending" },
): Promise<Driven> {
  const { id, afterMs, reason } = accepted;
  const windowMs = work.handler.consistencyWindowMs;
  const observed = await observe(work, { id, until: mutation.until, windowMs, afterMs, reason });
  switch (observed.kind) {
    case "found":
      return { kind: "ready", id: observed.id, outputs: observed.outputs };
    case "absent":
      return { kind: "gone" };
    default:
      return notFound(work, observed);
  }
}

/** The failure that an observation amounts to which found nothing usable. */
export function notFound(
  work: Work,
  observed: Exclude<Observed, { readonly kind: "found" | "absent" }>,
): Failed {
  switch (observed.kind) {
    case "foreign":
      return { kind: "failed", diagnostic: foreign(work, observed.owner), leaves: "unknown" };
    case "broken":
      return {
        kind: "failed",
        diagnostic: observed.diagnostic,
        leaves: "broken",
        id: observed.id,
      };
    case "unreadable":
      return { kind: "failed", diagnostic: observed.diagnostic, leaves: "unknown" };
  }
}

function giveUp(work: Work, reason: string, leaves: Failed["leaves"]): Failed {
  if (work.world.stop.aborted) {
    const diagnostic: Diagnostic = {
      severity: "error",
      code: "INTERRUPTED",
      message: `${work.about.urn} was not finished, because the command was interrupted`,
      why: reason,
      hint: "Run the command again to go on.",
      exit: EXIT.interrupted,
    };
    return { kind: "failed", leaves, diagnostic };
  }
  const diagnostic: Diagnostic = {
    severity: "error",
    code: "CALL_FAILED",
    message: `The call for ${work.about.urn} failed`,
    why: reason,
    hint: "Run the command again: it looks at the resource first and goes on from there.",
    exit: EXIT.failed,
  };
  return { kind: "failed", leaves, diagnostic };
}

/** The problem that a resource under our name or id belongs to someone else. */
export function foreign(work: Work, owner: string): Diagnostic {
  return {
    severity: "error",
    code: "RESOURCE_FOREIGN",
    message: `${work.about.physicalName} (${work.about.urn}) belongs to ${owner}`,
    why: "Its tags name another owner, so it was left as it is.",
    hint: `Rename ${work.component} in the config, or remove the other resource by hand.`,
    exit: EXIT.failed,
  };
}
