import { stat } from "node:fs/promises";
import { stageKey } from "../../model/stage-key.ts";
import type { Cloud } from "../cloud.ts";
import type { CloudOptions, SiteOptions } from "../site.ts";
import { codeSender } from "./client/code-sender.ts";
import { findServer } from "./client/connect.ts";
import { createControlClient, problemOf } from "./client/control-client.ts";
import { hasCode } from "./durable-file.ts";
import { localFolders } from "./folders.ts";
import { LOCAL_IDENTITY } from "./identity.ts";
import { createLogSource } from "./logs/log-files.ts";
import { lower } from "./lowering/lower.ts";
import { localHandlers } from "./resources/local-handlers.ts";

export interface LocalCloudOptions
  extends CloudOptions,
    Pick<SiteOptions, "homeFolder" | "env" | "clock"> {
  /** The file that a server is started from; by default the one built beside this one. */
  readonly serverEntry?: string;
}

/**
 * Steps in flight at once. Nothing here limits the rate of calls, and what is in flight shares the synchronized writes
 * of the log: of 5,000 resources they cost 80 instead of 250.
 */
const STEPS_MAX = 128;

/**
 * Opens the cloud built into the tool. Its server is looked for, or started, at the first call that
 * needs it.
 */
export function openLocalCloud(options: LocalCloudOptions): Cloud {
  const folders = localFolders(options.homeFolder);
  const client = createControlClient(options);
  const sendCode = codeSender(client, options.readBundle);
  const hasFolder = async (app: string, stage: string) =>
    isThere(folders.stage(stageKey(app, stage)).root);
  return {
    name: LOCAL_IDENTITY.cloud,
    identity: async () => LOCAL_IDENTITY,
    lower,
    handlers: localHandlers({ client, sendCode }),
    limits: { concurrency: STEPS_MAX },
    sendCode: (app, stage, hash) => sendCode(stageKey(app, stage), hash),
    logs: createLogSource(folders, options.clock),
    wake: async (app, stage) => {
      if (!(await hasFolder(app, stage))) return new Set();
      const unwell = await client.wake(stageKey(app, stage)).catch(rethrow);
      return new Set(unwell.map(({ name }) => name));
    },
    forgetStage: async (app, stage) => {
      // Without a folder nothing is to be deleted; a server that runs may still have the stage
      // open.
      if (!(await hasFolder(app, stage)) && (await findServer(options)) === null) return;
      await client.removeStage(stageKey(app, stage)).catch(rethrow);
    },
    close: async () => undefined,
  };
}

function rethrow(error: unknown): never {
  throw problemOf(error);
}

async function isThere(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
