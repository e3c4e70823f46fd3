import { optimizeLater } from "../system/optimize-later.ts";
import { runCli } from "./application.ts";
import { routesFor } from "./routes.ts";

/** Runs a command line with any command; returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  optimizeLater();
  return runCli(args, await routesFor(args));
}
