import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { type CommonFlags, defineCommand } from "../../command.ts";
import { commonFlags } from "../../flags.ts";
import { stageTable } from "../../render/stage-table.ts";

type ListFlags = CommonFlags & {
  readonly all?: boolean;
};

export const stateListCommand = defineCommand<ListFlags>({
  brief: "List every stage of every app",
  description:
    "Lists app, stage, last update, number of resources and status of all that the home holds.\n" +
    "Needs no config. Exits 7 when a stage cannot be read; the others are listed all the same.",
  examples: [
    ["scrim state list", "a table"],
    ["scrim state list --json", "for programs"],
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
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { listStages } = await import("../../../operations/state-list.ts");
    const stages = await listStages({ removed: flags.all === true }, session.context);
    const { out } = session.terminal;
    session.answer({ stages }, () =>
      stages.length === 0
        ? "No stages. Run scrim deploy to make the first one.\n"
        : stageTable(stages, out.columns, out.style),
    );
    return stages.some((stage) => stage.status === "corrupt") ? EXIT.partly : EXIT.done;
  },
});
