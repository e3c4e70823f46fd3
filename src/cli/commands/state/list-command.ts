import type { StageSummary } from "../../../home/home.ts";
import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import type { OperationContext } from "../../../operations/context.ts";
import type { ListOptions } from "../../../operations/machine-stages.ts";
import { type CommonFlags, defineCommand } from "../../command.ts";
import { commonFlags, nonEmpty } from "../../flags.ts";
import { stageTable } from "../../render/stage-table.ts";

type ListFlags = CommonFlags & {
  readonly all?: boolean;
  readonly home?: string;
};

type ListStages = (
  options: ListOptions,
  context: OperationContext,
) => Promise<readonly StageSummary[]>;

/** `scrim state list` with the operation that it does. */
export function listCommand(load: () => Promise<ListStages>) {
  return defineCommand<ListFlags>({
    brief: "List every stage of every app",
    description:
      "Lists app, stage, last update, number of resources and status of all that the home holds:\n" +
      "the home of the project here, else that of this machine. Needs no config. Exits 7 when a\n" +
      "stage cannot be read; the others are listed all the same.",
    examples: [
      ["scrim state list", "a table"],
      ["scrim state list --json", "for programs"],
      ["scrim state list --home aws", "of the account that AWS_PROFILE and AWS_REGION name"],
    ],
    parameters: {
      flags: {
        ...commonFlags,
        all: {
          kind: "boolean",
          optional: true,
          withNegated: false,
          brief: "Removed stages too, of which only the history is left",
        },
        home: {
          kind: "parsed",
          parse: nonEmpty("--home"),
          optional: true,
          brief: "Home to look into [else the project's, or this machine's]",
          placeholder: "home",
        },
      },
    },
    async run(session, flags): Promise<ExitCode> {
      const listStages = await load();
      const options = { removed: flags.all === true, home: flags.home ?? null };
      const stages = await listStages(options, session.context);
      const { out } = session.terminal;
      session.answer({ stages }, () =>
        stages.length === 0
          ? "No stages. Run scrim deploy to make the first one.\n"
          : stageTable(stages, out.columns, out.style),
      );
      return stages.some((stage) => stage.status === "corrupt") ? EXIT.partly : EXIT.done;
    },
  });
}
