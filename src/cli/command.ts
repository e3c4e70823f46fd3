import {
  buildCommand,
  type Command,
  type CommandContext,
  type TypedCommandParameters,
} from "@stricli/core";
import type { ExitCode } from "../model/diagnostic.ts";
import type { Session } from "./session.ts";

/** What every command's function is called on; the parser hands it through. */
export interface CliContext extends CommandContext {
  /** Runs the body with a session of its own and turns what it throws into text and an exit code. */
  run(options: SessionOptions, body: (session: Session) => Promise<ExitCode>): Promise<void>;
}

export interface SessionOptions {
  readonly json: boolean;
  readonly verbose: boolean;
}

/** Flags that every command has. */
export type CommonFlags = {
  readonly json?: boolean;
  readonly verbose?: boolean;
};

/** Flags of commands that work on one stage. */
export type StageFlags = CommonFlags & {
  readonly stage?: string;
  readonly config?: string;
};

/** Flags of commands that can work from what is recorded. */
export type StateFlags = StageFlags & {
  readonly app?: string;
  readonly home?: string;
};

interface CommandDefinition<FLAGS extends CommonFlags, ARGS extends readonly unknown[]> {
  /** One line, without a period. */
  readonly brief: string;
  /** Paragraphs of `--help`. */
  readonly description: string;
  /** Whole command lines and what they do. At least one. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly parameters: TypedCommandParameters<FLAGS, ARGS, CliContext>;
  /** The work. Imports what it needs itself, so that another command does not pay for it. */
  readonly run: (session: Session, flags: FLAGS, ...args: ARGS) => Promise<ExitCode>;
}

/** One command of the tool. */
export function defineCommand<FLAGS extends CommonFlags, ARGS extends readonly unknown[] = []>(
  definition: CommandDefinition<FLAGS, ARGS>,
): Command<CliContext> {
  const { brief, parameters, run } = definition;
  const usage = `${argumentsUsage(parameters.positional)}[flags]`;
  const command = buildCommand<FLAGS, ARGS, CliContext>({
    docs: { brief, fullDescription: fullDescription(definition), customUsage: [usage] },
    parameters,
    func(this: CliContext, flags: FLAGS, ...args: ARGS) {
      const options = { json: flags.json === true, verbose: flags.verbose === true };
      return this.run(options, (session) => run(session, flags, ...args));
    },
  });
  // All flags of all commands on one page would hide the commands; each lists its own.
  return { ...command, formatUsageLine: ({ prefix }) => `${prefix.join(" ")} ${usage}` };
}

/** The part of `TypedCommandPositionalParameters` that the usage line tells. */
interface Positional {
  readonly kind: "tuple" | "array";
  readonly parameters?: readonly PositionalParameter[];
  readonly parameter?: PositionalParameter;
}

interface PositionalParameter {
  readonly placeholder?: string;
  readonly optional?: boolean;
}

/** `<name> [<value>] `: what a command is given besides flags. */
function argumentsUsage(positional: Positional | undefined): string {
  const words = (positional?.parameters ?? []).map(({ placeholder, optional }) =>
    optional === true ? `[<${placeholder}>] ` : `<${placeholder}> `,
  );
  return words.join("");
}

function fullDescription<FLAGS extends CommonFlags, ARGS extends readonly unknown[]>(
  definition: CommandDefinition<FLAGS, ARGS>,
): string {
  const width = Math.max(...definition.examples.map(([line]) => line.length));
  const examples = definition.examples.map(([line, does]) => `  ${line.padEnd(width)}  # ${does}`);
  return [definition.description, "", "EXAMPLES", ...examples].join("\n");
}
