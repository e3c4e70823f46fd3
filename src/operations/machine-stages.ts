import { DEFAULT_HOME } from "../clouds/default-home.ts";
import { findConfig } from "../config/find.ts";
import type { StageSummary } from "../home/home.ts";
import { homeFolder, userFolders } from "../home/home-folder.ts";
import { listStages as listStored } from "../home/home-list.ts";
import { DirectoryStore } from "../home/stores/directory.ts";
import { nodeDisk } from "../home/stores/node-disk.ts";
import { DiagnosticError } from "../model/diagnostic.ts";
import type { OperationContext } from "./context.ts";
import { readProjectMemory } from "./project-memory.ts";

export interface ListOptions {
  /** Whether stages are listed of which only the history is left. */
  readonly removed: boolean;
  /** As `home` in `app()`; null for that of the project here, or of this machine where there is none. */
  readonly home: string | null;
}

/** Every stage of every app in the home of this machine, by app and stage. */
export async function listMachineStages(
  { removed }: ListOptions,
  context: OperationContext,
): Promise<readonly StageSummary[]> {
  const store = new DirectoryStore(homeFolder(userFolders(context.env)), nodeDisk);
  const stages: StageSummary[] = [];
  for await (const stage of listStored(store)) {
    if (stage.status !== "removed" || removed) stages.push(stage);
  }
  return stages;
}

/**
 * Whether the stages that somebody asks for are those of this machine's home, as far as it can be told without running
 * a config: it is the home that is named, or there is no project here, or one that was only ever deployed to it.
 */
export function areOfMachine(home: string | null, cwd: string): boolean {
  if (home !== null) return home === DEFAULT_HOME;
  const folder = projectFolder(cwd);
  if (folder === null) return true;
  const known = [...(readProjectMemory(folder)?.homes.values() ?? [])];
  return known.length > 0 && known.every((each) => each === DEFAULT_HOME);
}

/** Null outside of a project. */
function projectFolder(cwd: string): string | null {
  try {
    return findConfig(cwd, null).folder;
  } catch (error) {
    if (error instanceof DiagnosticError) return null;
    throw error;
  }
}
