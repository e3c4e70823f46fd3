import {
  type Application,
  buildApplication,
  buildRouteMap,
  type RouteMap,
  run,
  type StricliDynamicCommandContext,
  type StricliProcess,
  text_en,
} from "@stricli/core";
import { type DiagnosticError, EXIT } from "../model/diagnostic.ts";
import type { CliContext } from "./command.ts";
import { diagnosticText } from "./render/diagnostic-text.ts";
import { jsonError } from "./render/json.ts";
import type { Style } from "./render/style.ts";
import { openTerminal } from "./render/terminal.ts";
import type { Routes } from "./routes.ts";
import { argumentsProblem, emptyFlag, unknownCommand } from "./usage-problem.ts";
import { version } from "./version.ts";

const DESCRIPTION = `Deploy a serverless app as many isolated stages.

Every command explains itself: scrim <command> --help

EXAMPLES
  scrim init                        # a config and a first route, in this folder
  scrim deploy --stage alice        # make or update the stage alice
  scrim logs --stage alice --tail   # follow its logs
  scrim state list                  # every stage, its last update and its resources`;

/**
 * Runs one command line.
 *
 * @param args what stands behind `scrim`
 * @param routes at least the command that the line names; all where it names none
 * @returns the exit code, as docs/reference/exit-codes.md lists them
 */
export async function runCli(args: readonly string[], routes: Routes): Promise<number> {
  const terminal = openTerminal({
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
  });
  const problemText = problemWriter(args.includes("--json"), terminal.err.style);
  const empty = emptyFlag(args);
  if (empty !== null) {
    terminal.err.write(problemText(empty));
    return EXIT.usage;
  }
  const root = rootOf(routes);
  const incomplete = isGroup(root, args);
  // The parser sets `exitCode` only where there is none yet.
  const streams: StricliProcess = {
    stdout: incomplete ? terminal.err : terminal.out,
    stderr: terminal.err,
    env: process.env,
  };
  let exit: number | null = null;
  const context: StricliDynamicCommandContext<CliContext> = {
    process: streams,
    async run(options, body) {
      const { runCommand } = await import("./run-command.ts");
      exit = await runCommand(options, body);
    },
  };
  await run(application(root, problemText), incomplete ? [...args, "--help"] : args, context);
  if (exit !== null) return exit;
  // Negative codes are the parser's own: something on the command line was not understood.
  return incomplete || Number(streams.exitCode) < 0 ? EXIT.usage : EXIT.done;
}

function rootOf(routes: Routes): RouteMap<CliContext> {
  return buildRouteMap<string, CliContext>({
    routes,
    docs: {
      brief: "Deploy a serverless app as many isolated stages",
      fullDescription: DESCRIPTION,
    },
  });
}

/** Whether the words name a group of commands and none of them, as `scrim state` does. */
function isGroup(root: RouteMap<CliContext>, args: readonly string[]): boolean {
  let group = root;
  for (const arg of args) {
    const next = group.getRoutingTargetForInput(arg);
    if (next === undefined || !("getRoutingTargetForInput" in next)) return false;
    group = next;
  }
  return true;
}

function application(
  root: RouteMap<CliContext>,
  problemText: (problem: DiagnosticError) => string,
): Application<CliContext> {
  return buildApplication(root, {
    name: "scrim",
    versionInfo: { currentVersion: version },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: true },
    localization: {
      text: {
        ...text_en,
        noCommandRegisteredForInput: ({ input, corrections }) =>
          problemText(unknownCommand(input, corrections)),
        exceptionWhileParsingArguments: (error) => problemText(argumentsProblem(error)),
      },
    },
  });
}

/** Makes the text of a problem, without the end of its last line, which the parser adds. */
function problemWriter(json: boolean, style: Style): (problem: DiagnosticError) => string {
  return ({ diagnostics }) => {
    const text = json
      ? jsonError(diagnostics)
      : diagnostics.map((each) => diagnosticText(each, { style, cwd: "/" })).join("");
    return text.trimEnd();
  };
}
