import { buildRouteMap, type Command, type RouteMap } from "@stricli/core";
import type { CliContext } from "./command.ts";

type Target = Command<CliContext> | RouteMap<CliContext>;

/** Commands by their word. */
export type Routes = Readonly<Record<string, Target>>;

type Load = () => Promise<Command<CliContext>>;

interface Group {
  readonly brief: string;
  readonly commands: CommandTable;
}

interface CommandTable {
  readonly [word: string]: Load | Group;
}

/** Every command; a new one is a new file and one line here. Each is loaded when a command line names it. */
const COMMANDS: CommandTable = {
  init: async () => (await import("./commands/init.ts")).initCommand,
  deploy: async () => (await import("./commands/deploy.ts")).deployCommand,
  diff: async () => (await import("./commands/diff.ts")).diffCommand,
  dev: async () => (await import("./commands/dev.ts")).devCommand,
  remove: async () => (await import("./commands/remove.ts")).removeCommand,
  refresh: async () => (await import("./commands/refresh.ts")).refreshCommand,
  logs: async () => (await import("./commands/logs.ts")).logsCommand,
  outputs: async () => (await import("./commands/outputs.ts")).outputsCommand,
  state: {
    brief: "Look at what is recorded about stages",
    commands: {
      list: async () => (await import("./commands/state/list.ts")).stateListCommand,
      show: async () => (await import("./commands/state/show.ts")).stateShowCommand,
      history: async () => (await import("./commands/state/history.ts")).stateHistoryCommand,
      export: async () => (await import("./commands/state/export.ts")).stateExportCommand,
      unprotect: async () => (await import("./commands/state/unprotect.ts")).stateUnprotectCommand,
    },
  },
  secret: {
    brief: "Keep secrets, per stage or as a fallback for all",
    commands: {
      set: async () => (await import("./commands/secret/set.ts")).secretSetCommand,
      list: async () => (await import("./commands/secret/list.ts")).secretListCommand,
      remove: async () => (await import("./commands/secret/remove.ts")).secretRemoveCommand,
      load: async () => (await import("./commands/secret/load.ts")).secretLoadCommand,
      rotateKey: async () =>
        (await import("./commands/secret/rotate-key.ts")).secretRotateKeyCommand,
      key: {
        brief: "Take the keys of an app to another machine",
        commands: {
          export: async () =>
            (await import("./commands/secret/key/export.ts")).secretKeyExportCommand,
          import: async () =>
            (await import("./commands/secret/key/import.ts")).secretKeyImportCommand,
        },
      },
    },
  },
  env: async () => (await import("./commands/env.ts")).envCommand,
  local: {
    brief: "Start, stop and look at the local cloud's server",
    commands: {
      start: async () => (await import("./commands/local/start.ts")).localStartCommand,
      stop: async () => (await import("./commands/local/stop.ts")).localStopCommand,
      status: async () => (await import("./commands/local/status.ts")).localStatusCommand,
    },
  },
  aws: {
    brief: "Prepare an AWS account",
    commands: {
      policy: async () => (await import("./commands/aws/policy.ts")).awsPolicyCommand,
    },
  },
  unlock: async () => (await import("./commands/unlock.ts")).unlockCommand,
};

/** All commands. */
export function allRoutes(): Promise<Routes> {
  return load(COMMANDS);
}

/**
 * The commands that a command line needs: only the one it begins with, or all where it begins with none, since help and
 * suggestions tell of the others. Loading all of them takes longer than many a command.
 */
export function routesFor(args: readonly string[]): Promise<Routes> {
  return load(named(COMMANDS, args) ?? COMMANDS);
}

/** The part of the table that leads to the command at the beginning of the words; null when there is none. */
function named(table: CommandTable, [first = "", ...rest]: readonly string[]): CommandTable | null {
  const word = Object.keys(table).find((each) => each === first || kebab(each) === first);
  const entry = word === undefined ? undefined : table[word];
  if (word === undefined || entry === undefined) return null;
  if (typeof entry === "function") return { [word]: entry };
  const commands = named(entry.commands, rest);
  return commands === null ? null : { [word]: { brief: entry.brief, commands } };
}

async function load(table: CommandTable): Promise<Routes> {
  const targets = Object.entries(table).map(async ([word, entry]): Promise<[string, Target]> => {
    if (typeof entry === "function") return [word, await entry()];
    const routes = await load(entry.commands);
    return [word, buildRouteMap<string, CliContext>({ docs: { brief: entry.brief }, routes })];
  });
  return Object.fromEntries(await Promise.all(targets));
}

function kebab(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
