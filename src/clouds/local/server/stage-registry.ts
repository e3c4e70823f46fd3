import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode, makeFolder, syncFolder } from "../durable-file.ts";
import { type LocalFolders, parseStageKey } from "../folders.ts";
import { listFolder } from "../list-folder.ts";
import { Refusal } from "./control/refusal.ts";
import { stageKeys } from "./registry/migrations.ts";
import type { Log } from "./resources/stage-dependencies.ts";
import type { openStageResources, StageResources } from "./resources/stage-resources.ts";

/** Every stage of the home that has a folder. */
export interface Stages {
  find(stageKey: string): StageResources | null;
  /** The stage, made when there is none. */
  open(stageKey: string): Promise<StageResources>;
  /** Deletes all that belongs to the stage. @throws Refusal 409 while it has resources */
  remove(stageKey: string): Promise<void>;
  all(): ReadonlyMap<string, StageResources>;
  /** Waits for the changes under way. */
  settle(): Promise<void>;
}

export interface StagesOptions {
  readonly folders: LocalFolders;
  readonly openStage: (
    stageKey: string,
    names: { readonly app: string; readonly stage: string },
  ) => ReturnType<typeof openStageResources>;
  /** Ends what serves a stage, so that its folder can go. */
  readonly stopStage: (stageKey: string) => Promise<void>;
  readonly log: Log;
}

/**
 * Folders being deleted have this in front; what a crash leaves of them is swept at the next start.
 */
const REMOVING = "removing-";

/** Reads every stage there is. */
export async function openStages(options: StagesOptions): Promise<Stages> {
  const { folders } = options;
  await sweepRemoved(folders);
  const stages = new Map<string, Promise<StageResources>>();
  const opened = new Map<string, StageResources>();
  const removing = new Map<string, Promise<void>>();

  async function open(stageKey: string): Promise<StageResources> {
    await removing.get(stageKey);
    const known = stages.get(stageKey);
    if (known !== undefined) return known;
    const opening = openOne(stageKey);
    stages.set(stageKey, opening);
    try {
      const stage = await opening;
      opened.set(stageKey, stage);
      return stage;
    } catch (error) {
      stages.delete(stageKey);
      throw error;
    }
  }

  async function openOne(stageKey: string): Promise<StageResources> {
    const names = parseStageKey(stageKey);
    if (names === null) throw new Error(`not a stage key: ${stageKey}`);
    await makeFolder(folders.stage(stageKey).root);
    return options.openStage(stageKey, names);
  }

  async function remove(stageKey: string): Promise<void> {
    const stage = opened.get(stageKey);
    await stage?.settle();
    const count = stage?.count() ?? 0;
    if (count > 0) throw notEmpty(stageKey, count);
    opened.delete(stageKey);
    stages.delete(stageKey);
    const removal = options.stopStage(stageKey).then(() => deleteFolder(folders, stageKey));
    removing.set(stageKey, removal);
    await removal.finally(() => removing.delete(stageKey));
  }

  for (const stageKey of await stageKeys(folders)) {
    // A stage that cannot be read, because of rights for example, must not keep the others from
    // being served.
    await open(stageKey).catch((error: unknown) => options.log(`${stageKey}: ${error}`));
  }
  return {
    find: (stageKey) => opened.get(stageKey) ?? null,
    open,
    remove,
    all: () => opened,
    settle: async () => {
      for (const stage of opened.values()) await stage.settle();
    },
  };
}

/** Renames first, so that a crash leaves either the whole stage or none. */
async function deleteFolder(folders: LocalFolders, stageKey: string): Promise<void> {
  const gone = join(folders.root, `${REMOVING}${randomBytes(6).toString("hex")}`);
  try {
    await rename(folders.stage(stageKey).root, gone);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  await syncFolder(folders.root);
  await rm(gone, { recursive: true, force: true, maxRetries: 5 });
}

async function sweepRemoved(folders: LocalFolders): Promise<void> {
  for (const name of await listFolder(folders.root)) {
    if (!name.startsWith(REMOVING)) continue;
    await rm(join(folders.root, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function notEmpty(stageKey: string, count: number): Refusal {
  const names = parseStageKey(stageKey);
  const things = count === 1 ? "1 resource" : `${count} resources`;
  return new Refusal(
    409,
    "LOCAL_STAGE_NOT_EMPTY",
    `Stage ${names?.stage} of ${names?.app} still has ${things}`,
    { hint: "Remove the stage first." },
  );
}
