import { type Diagnostic, EXIT } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { type Answer, call } from "./call.ts";
import { Retries, sleepUnless } from "./retries.ts";
import type { Work } from "./work.ts";

/** What is there, as far as looking can tell. */
export type Observed =
  | {
      readonly kind: "found";
      readonly id: string;
      readonly outputs: JsonObject;
      readonly inputs?: Json;
    }
  | { readonly kind: "absent" }
  | { readonly kind: "foreign"; readonly owner: string }
  /** It exists and can never become ready. */
  | { readonly kind: "broken"; readonly id: string; readonly diagnostic: Diagnostic }
  | { readonly kind: "unreadable"; readonly diagnostic: Diagnostic };

/** What to look for, and until when. */
export interface Look {
  /** Null: find it by name or tags. */
  readonly id: string | null;
  /** `there` waits until it is ready, `gone` until it is gone. */
  readonly until: "there" | "gone";
  /** For how long a missing answer may still turn into the thing. */
  readonly windowMs: number;
  /** When to look first; for what was just accepted and asked to be left alone for a while. */
  readonly afterMs?: number;
  readonly reason?: string;
}

/** Looks until the answer is final. Only reads; never throws. */
export async function observe(work: Work, look: Look): Promise<Observed> {
  const { clock, limits } = work.world;
  const startedMs = clock.monotonicMs();
  const retries = new Retries(work.world);
  let { id } = look;
  if (look.afterMs !== undefined) await rest(work, look.afterMs, look.reason ?? "", startedMs);
  for (;;) {
    const answer = await call(work, (context) => work.handler.read(context, id));
    if (answer.kind === "pending") id = answer.id;
    const elapsedMs = clock.monotonicMs() - startedMs;
    const final = finalAnswer(answer, look, id, elapsedMs);
    if (final !== null) return final;
    if (answer.kind === "retry" || answer.kind === "lost") {
      const [afterMs, lastsMs] = answer.kind === "retry" ? [answer.afterMs, answer.lastsMs] : [0];
      const goOn = await retries.pause(afterMs, lastsMs);
      if (!goOn) return { kind: "unreadable", diagnostic: unreadable(work, answer.reason) };
    } else {
      const reason = answer.kind === "pending" ? answer.reason : waitingFor(look);
      if (work.world.cut.aborted || elapsedMs > limits.readyTimeMaxMs) {
        return { kind: "unreadable", diagnostic: notReady(work, reason, elapsedMs) };
      }
      await rest(work, nextLookMs(answer, look, elapsedMs), reason, startedMs);
    }
  }
}

function finalAnswer(
  answer: Answer & { readonly inputs?: Json },
  look: Look,
  id: string | null,
  elapsedMs: number,
): Observed | null {
  switch (answer.kind) {
    case "done":
      if (look.until === "gone") return null;
      return { ...answer, kind: "found" };
    case "gone":
      return look.until === "gone" || elapsedMs >= look.windowMs ? { kind: "absent" } : null;
    case "foreign":
      return answer;
    case "refused":
      return answer.diagnostic.code === "RESOURCE_BROKEN"
        ? { kind: "broken", id: id ?? "", diagnostic: answer.diagnostic }
        : { kind: "unreadable", diagnostic: answer.diagnostic };
    default:
      return null;
  }
}

async function rest(work: Work, ms: number, reason: string, startedMs: number): Promise<void> {
  const { clock, limits, cut } = work.world;
  const restMs = Math.min(Math.max(ms, limits.pollMinMs), limits.pollMaxMs);
  work.onWait(reason, clock.monotonicMs() - startedMs);
  await sleepUnless(clock.sleep.bind(clock), restMs, [cut]);
}

/** What the handler asks for; else more seldom the longer it takes, and once more when the window closes. */
function nextLookMs(answer: Answer, look: Look, elapsedMs: number): number {
  if (answer.kind === "pending") return answer.afterMs;
  const leftMs = look.windowMs - elapsedMs;
  const growingMs = Math.max(500, elapsedMs / 4);
  return answer.kind === "gone" ? Math.min(leftMs, growingMs) : growingMs;
}

function waitingFor(look: Look): string {
  return look.until === "gone" ? "waiting until it is gone" : "waiting until it can be seen";
}

function unreadable(work: Work, reason: string): Diagnostic {
  return {
    severity: "error",
    code: "RESOURCE_UNREADABLE",
    message: `${work.about.urn} could not be read`,
    why: reason,
    hint: "Run the command again; nothing was lost.",
    exit: EXIT.failed,
  };
}

function notReady(work: Work, reason: string, elapsedMs: number): Diagnostic {
  return {
    severity: "error",
    code: "RESOURCE_NOT_READY",
    message: `${work.about.urn} did not get ready within ${Math.round(elapsedMs / 1000)} s`,
    why: reason,
    hint: "Run the command again: it looks at the resource first and goes on from there.",
    exit: EXIT.failed,
  };
}
