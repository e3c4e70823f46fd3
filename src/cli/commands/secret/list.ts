import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { defineCommand } from "../../command.ts";
import { tableText } from "../../render/table.ts";
import { type ScopeFlags, scopeFlags, scopeOf } from "./scope.ts";

export const secretListCommand = defineCommand<ScopeFlags>({
  brief: "List the names of secrets, values masked",
  description:
    "Lists the secrets that a deploy of the stage would use, and where each value comes from.\n" +
    "Values are never shown.",
  examples: [
    ["scrim secret list --stage production", "those of one stage, the fallback included"],
    ["scrim secret list --fallback", "the fallback alone"],
  ],
  parameters: { flags: scopeFlags },
  async run(session, flags): Promise<ExitCode> {
    const { listSecrets } = await import("../../../operations/secrets.ts");
    const scope = scopeOf(flags);
    const { location, secrets } = await listSecrets(scope, session.context);
    const { app } = location;
    const stage = scope.fallback ? null : location.stage;
    const { out } = session.terminal;
    session.answer({ app, stage, secrets }, () =>
      secrets.length === 0
        ? `No secrets are set for ${stage === null ? "the fallback" : `stage ${stage}`} of ${app}.\n`
        : tableText(
            [{ title: "NAME" }, { title: "VALUE" }, { title: "FROM" }, { title: "UPDATED" }],
            secrets.map(({ name, source, updatedAt }) => [name, "******", source, updatedAt]),
            out.columns,
            out.style,
          ),
    );
    return EXIT.done;
  },
});
