import { buildRouteMap } from "@stricli/core";
import { runCli } from "./application.ts";
import type { CliContext } from "./command.ts";
import { stateListCommand } from "./commands/state/list.ts";

/** Runs a command line that begins with `state list`; returns the exit code. */
export function runProgram(args: readonly string[]): Promise<number> {
  const state = buildRouteMap<string, CliContext>({
    docs: { brief: "Look at what is recorded about stages" },
    routes: { list: stateListCommand },
  });
  return runCli(args, { state });
}
