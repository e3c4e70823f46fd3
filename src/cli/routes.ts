import { buildRouteMap, type Command, type RouteMap } from "@stricli/core";
import type { CliContext } from "./command.ts";
import { deployCommand } from "./commands/deploy.ts";
import { devCommand } from "./commands/dev.ts";
import { diffCommand } from "./commands/diff.ts";
import { envCommand } from "./commands/env.ts";
import { initCommand } from "./commands/init.ts";
import { localStartCommand } from "./commands/local/start.ts";
import { localStatusCommand } from "./commands/local/status.ts";
import { localStopCommand } from "./commands/local/stop.ts";
import { logsCommand } from "./commands/logs.ts";
import { outputsCommand } from "./commands/outputs.ts";
import { refreshCommand } from "./commands/refresh.ts";
import { removeCommand } from "./commands/remove.ts";
import { secretKeyExportCommand } from "./commands/secret/key/export.ts";
import { secretKeyImportCommand } from "./commands/secret/key/import.ts";
import { secretListCommand } from "./commands/secret/list.ts";
import { secretLoadCommand } from "./commands/secret/load.ts";
import { secretRemoveCommand } from "./commands/secret/remove.ts";
import { secretRotateKeyCommand } from "./commands/secret/rotate-key.ts";
import { secretSetCommand } from "./commands/secret/set.ts";
import { stateExportCommand } from "./commands/state/export.ts";
import { stateHistoryCommand } from "./commands/state/history.ts";
import { stateListCommand } from "./commands/state/list.ts";
import { stateShowCommand } from "./commands/state/show.ts";
import { stateUnprotectCommand } from "./commands/state/unprotect.ts";
import { unlockCommand } from "./commands/unlock.ts";

type Routes = Readonly<Record<string, Command<CliContext> | RouteMap<CliContext>>>;

/** Every command, by its word; a new command is a new file and one line here. */
export const routes: Routes = {
  init: initCommand,
  deploy: deployCommand,
  diff: diffCommand,
  dev: devCommand,
  remove: removeCommand,
  refresh: refreshCommand,
  logs: logsCommand,
  outputs: outputsCommand,
  state: group("Look at what is recorded about stages", {
    list: stateListCommand,
    show: stateShowCommand,
    history: stateHistoryCommand,
    export: stateExportCommand,
    unprotect: stateUnprotectCommand,
  }),
  secret: group("Keep secrets, per stage or as a fallback for all", {
    set: secretSetCommand,
    list: secretListCommand,
    remove: secretRemoveCommand,
    load: secretLoadCommand,
    rotateKey: secretRotateKeyCommand,
    key: group("Take the keys of an app to another machine", {
      export: secretKeyExportCommand,
      import: secretKeyImportCommand,
    }),
  }),
  env: envCommand,
  local: group("Start, stop and look at the local cloud's server", {
    start: localStartCommand,
    stop: localStopCommand,
    status: localStatusCommand,
  }),
  unlock: unlockCommand,
};

function group(brief: string, routes: Routes): RouteMap<CliContext> {
  return buildRouteMap<string, CliContext>({ docs: { brief }, routes });
}
