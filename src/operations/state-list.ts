import { DEFAULT_HOME } from "../clouds/default-home.ts";
import type { StageSummary } from "../home/home.ts";
import { listStages as listStored } from "../home/home-list.ts";
import type { Store } from "../home/store.ts";
import { DiagnosticError } from "../model/diagnostic.ts";
import type { OperationContext } from "./context.ts";
import { locate } from "./locate.ts";
import { areOfMachine, type ListOptions, listMachineStages } from "./machine-stages.ts";
import { type HomeChoice, openHomeAndSite } from "./open-home.ts";

/**
 * Every stage of every app that a home holds, by app and stage; on AWS, that the homes of all regions of the account do.
 *
 * @throws DiagnosticError of the account that the home is in (exit 4)
 */
export async function listStages(
  options: ListOptions,
  context: OperationContext,
): Promise<readonly StageSummary[]> {
  const { home, removed } = options;
  if (areOfMachine(home, context.cwd)) return listMachineStages(options, context);
  const { home: here, site } = await openHomeAndSite(await chooseHome(home, context), context);
  const homes = (await site.everyRegion?.()) ?? [{ region: null, store: here.store }];
  const lists = await Promise.all(homes.map(listHome));
  return lists
    .flat()
    .filter(({ status }) => status !== "removed" || removed)
    .sort(byAppAndStage);
}

async function listHome({
  region,
  store,
}: {
  readonly region: string | null;
  readonly store: Store;
}): Promise<readonly StageSummary[]> {
  const stages: StageSummary[] = [];
  for await (const stage of listStored(store)) {
    stages.push(region === null ? stage : { ...stage, region });
  }
  return stages;
}

/** Stages of the same name stay in the order of their regions. */
function byAppAndStage(left: StageSummary, right: StageSummary): number {
  if (left.app !== right.app) return left.app < right.app ? -1 : 1;
  if (left.stage === right.stage) return 0;
  return left.stage < right.stage ? -1 : 1;
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
