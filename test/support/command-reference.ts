import type { Command, RouteMap } from "@stricli/core";
import type { CliContext } from "../../src/cli/command.ts";
import { commonFlags, stateFlags } from "../../src/cli/flags.ts";
import { allRoutes } from "../../src/cli/routes.ts";

const routes = await allRoutes();

/** One command as its definition describes it. */
export interface DescribedCommand {
  /** Its words, such as `secret key export`. */
  readonly words: string;
  readonly brief: string;
  /** Paragraphs, then `EXAMPLES` and lines of them. */
  readonly fullDescription: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly positional: readonly Positional[];
}

interface Flag {
  readonly brief: string;
  readonly placeholder?: string;
}

interface Positional extends Flag {
  readonly optional?: boolean;
}

/** Every command, in the order of the help. */
export function describedCommands(): readonly DescribedCommand[] {
  return Object.entries(routes).flatMap(([name, target]) => describe(kebab(name), target));
}

function describe(
  words: string,
  target: Command<CliContext> | RouteMap<CliContext>,
): readonly DescribedCommand[] {
  if ("getAllEntries" in target) {
    return target
      .getAllEntries()
      .flatMap((entry) => describe(`${words} ${kebab(entry.name.original)}`, entry.target));
  }
  const { flags, positional } = target.parameters as {
    readonly flags?: Readonly<Record<string, Flag>>;
    readonly positional?: { readonly parameters?: readonly Positional[] };
  };
  return [
    {
      words,
      brief: target.brief,
      fullDescription: target.fullDescription ?? "",
      flags: flags ?? {},
      positional: positional?.parameters ?? [],
    },
  ];
}

/** docs/reference/commands.md. */
export function commandReference(): string {
  return `${[INTRODUCTION, ...describedCommands().map(section)].join("\n")}`;
}

const INTRODUCTION = `# Commands

Every command tells the same with \`--help\`. This file is written from the commands themselves:
\`npx vitest run test/command-reference -u\` writes it anew.

What a command was asked for goes to standard output, problems and notes go to standard error, so that output can be
piped on. Without a terminal there are no questions, no redrawing and no colors; \`NO_COLOR\` and \`FORCE_COLOR\` are
honored. The first Ctrl-C finishes what is in flight, the second leaves at once; both are safe. See also
[exit codes](exit-codes.md) and [JSON documents](json.md).

Flags that many commands have:

${flagTable(stateFlags)}

\`--stage\` decides before \`SCRIM_STAGE\` of the environment, which decides before \`SCRIM_STAGE\` in \`.env\`, which decides
before your username. A flag without its value, an empty value, a flag given twice that is not meant to be repeated, and
an unknown flag are refused with exit code 2. Durations are written \`500ms\`, \`30s\`, \`10m\`, \`2h\` or \`7d\`. Behind \`--\`
everything is an argument, also what begins with a hyphen.
`;

function section({ words, brief, fullDescription, flags, positional }: DescribedCommand): string {
  const [description = "", examples = ""] = fullDescription.split("\n\nEXAMPLES\n");
  const args = positional.map((each) => ` ${argumentText(each)}`).join("");
  const own = Object.entries(flags).filter(([name]) => !Object.hasOwn(stateFlags, name));
  const shared = Object.keys(flags).filter((name) => Object.hasOwn(stateFlags, name));
  return [
    `## \`scrim ${words}${args}\``,
    "",
    `${brief}.`,
    "",
    description,
    "",
    "```sh",
    ...examples.split("\n").map((line) => line.replace(/^ {2}/, "")),
    "```",
    "",
    ...(positional.length === 0
      ? []
      : [
          ["| argument | |", "|---|---|"],
          positional.map((each) => `| \`${argumentText(each)}\` | ${each.brief} |`),
          [""],
        ].flat()),
    ...(own.length === 0 ? [] : [flagTable(Object.fromEntries(own)), ""]),
    `${own.length === 0 ? "Flags" : "Also"}: ${shared.map((name) => `\`--${name}\``).join(", ")}.`,
    "",
  ].join("\n");
}

function flagTable(flags: Readonly<Record<string, Flag>>): string {
  const rows = Object.entries(flags).map(([name, { placeholder, brief }]) => {
    const value = placeholder === undefined ? "" : ` <${placeholder}>`;
    return `| \`--${kebab(name)}${value}\` | ${brief} |`;
  });
  return ["| flag | |", "|---|---|", ...rows].join("\n");
}

function argumentText({ placeholder, optional }: Positional): string {
  return optional === true ? `[<${placeholder}>]` : `<${placeholder}>`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Flags that every command must have. */
export const COMMON: readonly string[] = Object.keys(commonFlags);
