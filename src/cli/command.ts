import { buildCommand, type Command, type CommandContext } from "@stricli/core";
import type { Session } from "./session.ts";
import type { ExitCode } from "../model/diagnostic.ts";

/** What every command's function is called on; stricli hands it through. */
export interface CliContext extends CommandContext {
  /** Runs the body with a session of its own and turns what it throws into text and an exit code. */
  run(options: SessionOptions, body: (session: Session) => Promise<ExitCode>): Promise<void>;
}

export interface SessionOptions {
  /** The words of the command, for the log of the stage: `secret set`. */
  readonly command: string;
  readonly json: boolean;
  readonly verbose: boolean;
}

/** Flags that every command has. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Flags of commands that work on one stage. */
export interface StageFlags extends CommonFlags {
  readonly stage?: string;
  readonly config?: string;
}

interface Example {
  /** What stands behind `scrim <command>`. */
  readonly input: string;
  readonly brief: string;
}

interface CommandDefinition<FLAGS extends CommonFlags, ARGS extends readonly unknown[]> {
  /** `secret set` */
  readonly name: string;
  readonly brief: string;
  /** Paragraphs below the brief in `--help`. */
  readonly description?: string;
  readonly examples: readonly Example[];
  // biome-ignore lint/suspicious/noExplicitAny: stricli's own type for parameters depends on FLAGS in ways that cannot be named here
  readonly parameters: any;
  /** The work. Imports what it needs itself, so that another command does not pay for it. */
  readonly run: (session: Session, flags: FLAGS, ...args: ARGS) => Promise<ExitCode>;
}

/** One command of the tool. */
export function defineCommand<FLAGS extends CommonFlags, ARGS extends readonly unknown[] = []>(
  definition: CommandDefinition<FLAGS, ARGS>,
): Command<CliContext> {
  const examples = definition.examples.map(({ input, brief }) => ({ input, brief }));
  return buildCommand<FLAGS, ARGS & readonly unknown[], CliContext>({
    docs: {
      brief: definition.brief,
      ...(definition.description === undefined ? {} : { fullDescription: definition.description }),
      customUsage: examples,
    },
    parameters: definition.parameters,
    func(this: CliContext, flags: FLAGS, ...args: ARGS & readonly unknown[]) {
      const options = {
        command: definition.name,
        json: flags.json === true,
        verbose: flags.verbose === true,
      };
      return this.run(options, (session) => definition.run(session, flags, ...(args as ARGS)));
    },
  });
}
