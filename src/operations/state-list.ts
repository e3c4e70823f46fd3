import { DEFAULT_HOME } from "../clouds/default-home.ts";
import type { StageSummary } from "../home/home.ts";
import { DiagnosticError } from "../model/diagnostic.ts";
import type { OperationContext } from "./context.ts";
import { locate } from "./locate.ts";
import { areOfMachine, type ListOptions, listMachineStages } from "./machine-stages.ts";
import { type HomeChoice, openHome } from "./open-home.ts";

/**
 * Every stage of every app that a home holds, by app and stage.
 *
 * @throws DiagnosticError of the account that the home is in (exit 4)
 */
export async function listStages(
  options: ListOptions,
  context: OperationContext,
): Promise<readonly StageSummary[]> {
  const { home, removed } = options;
  if (areOfMachine(home, context.cwd)) return listMachineStages(options, context);
  const stages: StageSummary[] = [];
  const opened = await openHome(await chooseHome(home, context), context);
  for await (const stage of opened.list()) {
    if (stage.status !== "removed" || removed) stages.push(stage);
  }
  return stages;
}

/** What is wrong with the config here is no reason to list nothing. */
async function chooseHome(home: string | null, context: OperationContext): Promise<HomeChoice> {
  const target = { stage: null, config: null, app: null, home };
  const quiet = { ...context, emit: () => undefined };
  try {
    return await locate(target, { stateIsEnough: true, anyStage: true }, quiet);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { home: home ?? DEFAULT_HOME, config: null, env: context.env };
  }
}
