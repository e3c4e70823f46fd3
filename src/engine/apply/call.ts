import { type Diagnostic, DiagnosticError } from "../../model/diagnostic.ts";
import type { HandlerContext, HandlerResult } from "../handler.ts";
import type { Work } from "./work.ts";

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
  const { clock, watch, cut } = work.world;
  try {
    cut.throwIfAborted();
    return await watch.run((signal) => invoke({ ...work.about, signal, clock }));
  } catch (error) {
    if (error instanceof DiagnosticError) {
      return { kind: "refused", diagnostic: error.diagnostics[0] };
    }
    return { kind: "lost", reason: error instanceof Error ? error.message : String(error) };
  }
}
