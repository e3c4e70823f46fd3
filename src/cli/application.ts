import {
  type Application,
  buildApplication,
  buildRouteMap,
  run,
  type StricliDynamicCommandContext,
  text_en,
} from "@stricli/core";
import { EXIT } from "../model/diagnostic.ts";
import type { CliContext } from "./command.ts";
import { routes } from "./routes.ts";
import { runCommand } from "./run-command.ts";
import { version } from "./version.ts";

const DESCRIPTION = `Deploy a serverless app as many isolated stages.

Every command explains itself: scrim <command> --help

EXAMPLES
  scrim init                        # a config and a first route, in this folder
  scrim deploy --stage alice        # make or update the stage alice
  scrim state list                  # every stage, its last update and its resources`;

/**
 * Runs one command line.
 *
 * @param args what stands behind `scrim`
 * @returns the exit code, as docs/reference/exit-codes.md lists them
 */
export async function runCli(args: readonly string[]): Promise<number> {
  const streams = {
    stdout: { write: (text: string) => void process.stdout.write(text) },
    stderr: { write: (text: string) => void process.stderr.write(text) },
    env: process.env,
    exitCode: EXIT.done as number,
  };
  let exit: number | null = null;
  const context: StricliDynamicCommandContext<CliContext> = {
    process: args.length === 0 ? { ...streams, stdout: streams.stderr } : streams,
    async run(options, body) {
      exit = await runCommand(options, body);
    },
  };
  await run(application(args.includes("--json")), args.length === 0 ? ["--help"] : args, context);
  if (exit !== null) return exit;
  // Negative codes are the parser's own: something on the command line was not understood.
  return streams.exitCode < 0 || args.length === 0 ? EXIT.usage : streams.exitCode;
}

function application(json: boolean): Application<CliContext> {
  return buildApplication(
    buildRouteMap<string, CliContext>({
      routes,
      docs: {
        brief: "Deploy a serverless app as many isolated stages",
        fullDescription: DESCRIPTION,
      },
    }),
    {
      name: "scrim",
      versionInfo: { currentVersion: version },
      scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
      documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: true },
      localization: {
        text: {
          ...text_en,
          noCommandRegisteredForInput: ({ input, corrections }) =>
            usageText(
              json,
              `There is no command ${JSON.stringify(input)}`,
              corrections.length === 0
                ? "Run scrim --help for the list of commands."
                : `Did you mean ${corrections.join(" or ")}?`,
            ),
          exceptionWhileParsingArguments: (error) =>
            usageText(
              json,
              error instanceof Error ? error.message : String(error),
              "Run the command with --help to see how it is used.",
            ),
        },
      },
    },
  );
}

function usageText(json: boolean, message: string, hint: string): string {
  return json
    ? JSON.stringify({ version: 1, error: { code: "USAGE", message, hint } })
    : `Error: ${message}\n  Fix: ${hint}`;
}
