import { EXIT, type ExitCode, fail } from "../../../model/diagnostic.ts";
import { defineCommand } from "../../command.ts";
import { readStandardInput } from "../../read-input.ts";
import type { Session } from "../../session.ts";
import { effectText, type ScopeFlags, scopeFlags, scopeOf, scopeText } from "./scope.ts";

export const secretSetCommand = defineCommand<ScopeFlags, [name: string, value?: string]>({
  brief: "Set a secret of a stage, or the fallback of all stages",
  description:
    "Stores the value encrypted. Without a value on the command line, which others may see in the\n" +
    "list of processes, it is asked for, or read from standard input.",
  examples: [
    ["scrim secret set ApiToken --stage production", "ask for the value"],
    ["scrim secret set ApiToken --fallback < token.txt", "for stages without one of their own"],
    ["scrim secret set ApiToken s3cret --stage alice", "the value on the command line"],
  ],
  parameters: {
    flags: scopeFlags,
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "Name, as in new scrim.Secret(<name>)", parse: String, placeholder: "name" },
        {
          brief: "Value [else asked for, or read from standard input]",
          parse: String,
          placeholder: "value",
          optional: true,
        },
      ],
    },
  },
  async run(session, flags, name, value): Promise<ExitCode> {
    const { setSecrets } = await import("../../../operations/secrets.ts");
    const scope = scopeOf(flags);
    const values = new Map([[name, value ?? (await askForValue(session, name))]]);
    const { location, fallback } = await setSecrets(scope, values, session.context);
    const { app, stage } = location;
    session.answer({ app, stage: fallback ? null : stage, fallback, name }, () =>
      [
        `Set ${name} in ${scopeText(stage, fallback)} of ${app}.`,
        effectText(stage, fallback),
        "",
      ].join("\n"),
    );
    return EXIT.done;
  },
});

/** Nothing at all is a Ctrl-C or a command before the pipe that failed, and must not replace a value. */
async function askForValue(session: Session, name: string): Promise<string> {
  const value = await readValue(session, name);
  if (value !== "") return value;
  throw fail("SECRET_EMPTY", `No value was given for ${name}`, {
    why: "Nothing was typed, or standard input was empty.",
    hint: `Write scrim secret set ${name} "" to store an empty value.`,
  });
}

async function readValue(session: Session, name: string): Promise<string> {
  const { ask } = session.context;
  if (ask !== null && process.stdin.isTTY === true) {
    return ask({ text: `Value of ${name} (not shown): `, hidden: true });
  }
  // What an editor or echo puts at the end of a line is not part of the secret.
  return (await readStandardInput()).replace(/\r?\n$/, "");
}
