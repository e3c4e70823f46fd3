import { buildRouteMap } from "@stricli/core";
import { areOfMachine, listMachineStages } from "../operations/machine-stages.ts";
import { runCli } from "./application.ts";
import type { BundledProgram } from "./bundled-program.ts";
import type { CliContext } from "./command.ts";
import { listCommand } from "./commands/state/list-command.ts";

/**
 * Runs a command line that begins with `state list`; returns the exit code. What is not about the home of this machine
 * is left to the whole program, which takes longer to read.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  if (!areOfThisMachine(args)) {
    return (require("./program.js") as BundledProgram).runProgram(args);
  }
  const state = buildRouteMap<string, CliContext>({
    docs: { brief: "Look at what is recorded about stages" },
    routes: { list: listCommand(async () => listMachineStages) },
  });
  return runCli(args, { state });
}

function areOfThisMachine(args: readonly string[]): boolean {
  if (args.some((word) => word.startsWith("--home"))) return false;
  try {
    return areOfMachine(null, process.cwd());
  } catch {
    // The folder is gone, which the command tells.
    return true;
  }
}
