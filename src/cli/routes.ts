import { buildRouteMap, type Command, type RouteMap } from "@stricli/core";
import type { CliContext } from "./command.ts";
import { deployCommand } from "./commands/deploy.ts";
import { diffCommand } from "./commands/diff.ts";
import { removeCommand } from "./commands/remove.ts";
import { secretListCommand } from "./commands/secret/list.ts";
import { secretSetCommand } from "./commands/secret/set.ts";
import { stateListCommand } from "./commands/state/list.ts";
import { unlockCommand } from "./commands/unlock.ts";

/** Every command, by its word; a new command is a new file and one line here. */
export const routes: Readonly<Record<string, Command<CliContext> | RouteMap<CliContext>>> = {
  deploy: deployCommand,
  diff: diffCommand,
  remove: removeCommand,
  state: buildRouteMap<string, CliContext>({
    docs: { brief: "Look at what is recorded about stages" },
    routes: { list: stateListCommand },
  }),
  secret: buildRouteMap<string, CliContext>({
    docs: { brief: "Keep secrets, per stage or as a fallback for all" },
    routes: { set: secretSetCommand, list: secretListCommand },
  }),
  unlock: unlockCommand,
};
