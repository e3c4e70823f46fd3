import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { defineCommand } from "../../command.ts";
import { effectText, type ScopeFlags, scopeFlags, scopeOf, scopeText } from "./scope.ts";

export const secretRemoveCommand = defineCommand<ScopeFlags, [name: string]>({
  brief: "Remove a secret of a stage, or the fallback",
  description:
    "Removes the value. A stage whose own value is removed uses the fallback from its next deploy\n" +
    "on; where there is none either, that deploy is refused. An unknown name exits 2.",
  examples: [
    ["scrim secret remove ApiToken --stage alice", "back to the fallback"],
    ["scrim secret remove ApiToken --fallback", "the value of stages without one of their own"],
  ],
  parameters: {
    flags: scopeFlags,
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Name of the secret", parse: String, placeholder: "name" }],
    },
  },
  async run(session, flags, name): Promise<ExitCode> {
    const { removeSecret } = await import("../../../operations/secrets.ts");
    const { location, fallback } = await removeSecret(scopeOf(flags), name, session.context);
    const { app, stage } = location;
    session.answer({ app, stage: fallback ? null : stage, fallback, name }, () =>
      [
        `Removed ${name} from ${scopeText(stage, fallback)} of ${app}.`,
        effectText(stage, fallback),
        "",
      ].join("\n"),
    );
    return EXIT.done;
  },
});
