import { join } from "node:path";
import { decodeName } from "../../model/stage-key.ts";

/** Where the local cloud keeps things below a home. The only place that knows. */
export interface LocalFolders {
  /** `<home>/local` */
  readonly root: string;
  readonly serverInfo: string;
  readonly serverLog: string;
  readonly claims: string;
  /** The registry's format number. */
  readonly format: string;
  readonly backups: string;
  readonly dataPort: string;
  stage(stageKey: string): StageFolders;
}

/** Everything of one stage lies below `root`; removing the stage is removing that folder. */
export interface StageFolders {
  readonly root: string;
  readonly registry: string;
  readonly code: string;
  readonly links: string;
  readonly logs: string;
}

/** The folders of the home at `homeFolder`, an absolute path. */
export function localFolders(homeFolder: string): LocalFolders {
  const root = join(homeFolder, "local");
  return {
    root,
    serverInfo: join(root, "server.json"),
    serverLog: join(root, "server.log"),
    claims: join(root, "claims"),
    format: join(root, "format.json"),
    backups: join(root, "backups"),
    dataPort: join(root, "data-port.json"),
    stage: (stageKey) => stageFolders(join(root, stageKey)),
  };
}

function stageFolders(root: string): StageFolders {
  return {
    root,
    registry: join(root, "registry"),
    code: join(root, "code"),
    links: join(root, "links"),
    logs: join(root, "logs"),
  };
}

/** App and stage behind a folder name that `stageKey` wrote, or null for any other name. */
export function parseStageKey(
  key: string,
): { readonly app: string; readonly stage: string } | null {
  const dot = key.indexOf(".");
  if (dot < 0) return null;
  const app = decodeName("a", key.slice(0, dot));
  const stage = decodeName("s", key.slice(dot + 1));
  if (app === null || stage === null) return null;
  return SAFE.test(app) && SAFE.test(stage) ? { app, stage } : null;
}

/** What app and stage names are made of; keeps a key from a request from being any other path. */
const SAFE = /^[A-Za-z0-9_-]{1,63}$/;
