import type { StageSummary } from "../home/home.ts";
import type { OperationContext } from "./context.ts";
import { openHome } from "./open-home.ts";

/** Every stage of every app that the home holds, by app and stage. */
export async function listStages(context: OperationContext): Promise<readonly StageSummary[]> {
  const stages: StageSummary[] = [];
  for await (const stage of openHome(context).list()) stages.push(stage);
  return stages;
}
