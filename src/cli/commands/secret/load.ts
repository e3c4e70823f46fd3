import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { defineCommand } from "../../command.ts";
import { nonEmpty } from "../../flags.ts";
import { readStandardInput } from "../../read-input.ts";
import { effectText, type ScopeFlags, scopeFlags, scopeOf, scopeText } from "./scope.ts";

export const secretLoadCommand = defineCommand<ScopeFlags, [file: string]>({
  brief: "Set many secrets from a file of KEY=value lines",
  description:
    "Reads a file in the format of .env files and sets all of its values at once, or none of them.\n" +
    "Secrets that the file does not name stay as they are. The file itself is not kept.",
  examples: [
    ["scrim secret load secrets.env --stage production", "those of one stage"],
    ["scrim secret load secrets.env --fallback", "for all stages"],
    ["pass show shop | scrim secret load - --fallback", "from standard input"],
  ],
  parameters: {
    flags: scopeFlags,
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "File, or - for standard input", parse: nonEmpty("<file>"), placeholder: "file" },
      ],
    },
  },
  async run(session, flags, file): Promise<ExitCode> {
    const { loadSecrets } = await import("../../../operations/load-secrets.ts");
    const scope = scopeOf(flags);
    const source = file === "-" ? { text: await readStandardInput() } : { file };
    const { location, fallback, names } = await loadSecrets(scope, source, session.context);
    const { app, stage } = location;
    session.answer({ app, stage: fallback ? null : stage, fallback, names }, () =>
      [
        `Set ${names.join(", ")} in ${scopeText(stage, fallback)} of ${app}.`,
        effectText(stage, fallback),
        "",
      ].join("\n"),
    );
    return EXIT.done;
  },
});
