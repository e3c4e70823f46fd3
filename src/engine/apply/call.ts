import { type Diagnostic, DiagnosticError } from "../../model/diagnostic.ts";
import type { HandlerContext, HandlerResult } from "../handler.ts";
import type { CallWorld, Work } from "./work.ts";

/** What came of one call: the handler's answer, a refusal that is final, or nothing that tells the outcome. */
export type Answer<Result extends HandlerResult = HandlerResult> =
  | Result
  | { readonly kind: "refused"; readonly diagnostic: Diagnostic }
  | { readonly kind: "lost"; readonly reason: string };

/** Makes one call, bounded in time. Never throws. */
export async function call<Result extends HandlerResult>(
  work: Work,
  invoke: (context: HandlerContext) => Promise<Result>,
): Promise<Answer<Result>> {
  const { world, about } = work;
  const given = new AbortController();
  const context = { ...about, signal: given.signal, clock: world.clock };
  try {
    return await withDeadline(world, given, () => invoke(context));
  } catch (error) {
    if (error instanceof DiagnosticError) {
      return { kind: "refused", diagnostic: error.diagnostics[0] };
    }
    return { kind: "lost", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Rejects when the work takes too long or the epoch ends under it, and tells the work so by its signal. */
async function withDeadline<Result>(
  world: CallWorld,
  given: AbortController,
  invoke: () => Promise<Result>,
): Promise<Result> {
  world.cut.throwIfAborted();
  const finished = new AbortController();
  const { callTimeMaxMs } = world.limits;
  const giveUp = new Promise<never>((_, reject) => {
    const end = (reason: Error): void => {
      reject(reason);
      given.abort(reason);
    };
    const cut = (): void => end(new Error("the stage was taken over"));
    world.cut.addEventListener("abort", cut, { once: true, signal: finished.signal });
    world.clock.sleep(callTimeMaxMs, finished.signal).then(
      () => end(new Error(`no answer within ${callTimeMaxMs / 1000} s`)),
      () => {},
    );
  });
  try {
    return await Promise.race([invoke(), giveUp]);
  } finally {
    // With a reason of our own: the default one is an error with a stack, made anew for every call.
    finished.abort(null);
  }
}
