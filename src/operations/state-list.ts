import type { StageSummary } from "../home/home.ts";
import type { OperationContext } from "./context.ts";
import { openHome } from "./open-home.ts";

/**
 * Every stage of every app that the home holds, by app and stage.
 *
 * @param options.removed whether stages are listed of which only the history is left
 */
export async function listStages(
  options: { readonly removed: boolean },
  context: OperationContext,
): Promise<readonly StageSummary[]> {
  const stages: StageSummary[] = [];
  for await (const stage of openHome(context).list()) {
    if (stage.status !== "removed" || options.removed) stages.push(stage);
  }
  return stages;
}
