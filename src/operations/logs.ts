import type { LogEntry } from "../clouds/cloud.ts";
import { didYouMean } from "../components/options/suggest.ts";
import { fail } from "../model/diagnostic.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { notFound } from "./remove.ts";
import { type Workspace, withWorkspace } from "./workspace.ts";

export interface LogsOptions {
  /** Milliseconds since the epoch; null for all that is kept. */
  readonly sinceMs: number | null;
  /** Names of functions, or of components for all of theirs; empty for all. */
  readonly functions: readonly string[];
  /** Goes on until `signal` is aborted. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly onEntry: (entry: LogEntry) => void;
}

export interface LogsResult {
  readonly location: Location;
  /** How many functions the stage has; without one nothing was read. */
  readonly functions: number;
  readonly entries: number;
}

/**
 * Reads the logs of a stage's functions, merged. Works from what is recorded where the config no longer builds.
 *
 * @throws DiagnosticError `STAGE_NOT_FOUND` (exit 1), `FUNCTION_UNKNOWN` (2), of the home (6)
 */
export async function logs(
  target: Target,
  options: LogsOptions,
  context: OperationContext,
): Promise<LogsResult> {
  const location = await locate(target, { stateIsEnough: true }, context);
  return withWorkspace(location, context, (workspace) => readLogs(workspace, options));
}

async function readLogs({ location, home, cloud }: Workspace, options: LogsOptions) {
  const { app, stage } = location;
  const { sinceMs, functions, follow, signal, onEntry } = options;
  const { snapshot } = await home.stage(app, stage).read();
  if (snapshot.serial === 0) throw notFound(app, stage);
  const known = namesOf(snapshot, cloud.logs.isFunction);
  if (known.functions.length === 0) return { location, functions: 0, entries: 0 };
  for (const name of functions) checkKnown(name, stage, known);
  let entries = 0;
  const query = { app, stage, sinceMs, functions, follow, names: known.byPhysicalName, signal };
  for await (const entry of cloud.logs.read(query)) {
    if (signal.aborted) break;
    entries += 1;
    onEntry(entry);
  }
  return { location, functions: known.functions.length, entries };
}

interface KnownNames {
  readonly functions: readonly string[];
  /** Names of which every function below is meant, such as that of an API. */
  readonly components: readonly string[];
  readonly byPhysicalName: ReadonlyMap<string, string>;
}

function namesOf(snapshot: Snapshot, isFunction: (type: string) => boolean): KnownNames {
  const states = snapshot.resources.filter(({ type }) => isFunction(type));
  return {
    functions: [...new Set(states.map(({ name }) => name))],
    components: [...new Set(states.map(({ component }) => component))],
    byPhysicalName: new Map(states.map(({ physicalName, name }) => [physicalName, name])),
  };
}

function checkKnown(
  name: string,
  stage: string,
  { functions, components }: Pick<KnownNames, "functions" | "components">,
): void {
  const known = [...new Set([...components, ...functions])];
  if (known.includes(name)) return;
  throw fail("FUNCTION_UNKNOWN", `Stage ${stage} has no function ${JSON.stringify(name)}`, {
    hint: didYouMean(name, known, "functions"),
  });
}
