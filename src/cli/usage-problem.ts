import {
  ArgumentParseError,
  ArgumentScannerError,
  FlagNotFoundError,
  formatMessageForArgumentScannerError,
} from "@stricli/core";
import { DiagnosticError, fail } from "../model/diagnostic.ts";

const SEE_HELP = "Run the command with --help to see how it is used.";

/** A word that is no command. */
export function unknownCommand(input: string, corrections: readonly string[]): DiagnosticError {
  const said = corrections.map((correction) => correction.replaceAll("`", "")).join(" or ");
  return fail("USAGE", `There is no command ${JSON.stringify(input)}`, {
    hint: said === "" ? "Run scrim --help for the list of commands." : `Did you mean ${said}?`,
  });
}

/** What the parser threw about flags and arguments, in our words. */
export function argumentsProblem(error: unknown): DiagnosticError {
  if (error instanceof ArgumentParseError && error.exception instanceof DiagnosticError) {
    return error.exception;
  }
  if (!(error instanceof ArgumentScannerError)) {
    return fail("USAGE", error instanceof Error ? error.message : String(error), {
      hint: SEE_HELP,
    });
  }
  const hint =
    error instanceof FlagNotFoundError && error.corrections.length > 0
      ? `Did you mean ${error.corrections.map((name) => `--${name}`).join(" or ")}?`
      : SEE_HELP;
  return fail("USAGE", messageOf(error), { hint });
}

function messageOf(error: ArgumentScannerError): string {
  if (error instanceof ArgumentParseError && error.exception instanceof Error) {
    return error.exception.message;
  }
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input }) => `There is no flag --${input} here`,
    AliasNotFoundError: ({ input }) => `There is no flag -${input} here`,
    UnsatisfiedFlagError: ({ externalFlagName: name, nextFlagName: next }) =>
      next === undefined
        ? `--${name} needs a value`
        : `--${name} needs a value, and --${next} follows instead`,
    UnexpectedFlagError: ({ externalFlagName: name, previousInput, input }) =>
      `--${name} is given twice: ${JSON.stringify(previousInput)} and ${JSON.stringify(input)}`,
    UnexpectedPositionalError: ({ input }) => `There is one argument too many: ${shown(input)}`,
    UnsatisfiedPositionalError: ({ placeholder }) => `The argument <${placeholder}> is missing`,
  });
}

/**
 * A flag written as `--stage=` with nothing behind it, which is nearly always a variable that is not set. The parser
 * takes it for an argument.
 */
export function emptyFlag(args: readonly string[]): DiagnosticError | null {
  const end = args.indexOf("--");
  const flag = (end === -1 ? args : args.slice(0, end)).find((arg) =>
    /^--[a-z][a-z-]*=$/.test(arg),
  );
  if (flag === undefined) return null;
  return fail("USAGE", `${flag.slice(0, -1)} needs a value, it was empty`, {
    hint: "Give it a value, or leave it out.",
  });
}

function shown(input: string): string {
  return JSON.stringify(input.length > 60 ? `${input.slice(0, 60)}...` : input);
}
