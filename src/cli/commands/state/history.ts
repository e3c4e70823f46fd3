import type { EpochSummary } from "../../../home/journal.ts";
import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { defineCommand, type StateFlags } from "../../command.ts";
import { stateFlags, wholeNumber } from "../../flags.ts";
import { safeLine } from "../../render/safe-text.ts";
import { timeText } from "../../render/stage-table.ts";
import { tableText } from "../../render/table.ts";
import type { Output } from "../../render/terminal.ts";
import { targetOf } from "../../session.ts";

type HistoryFlags = StateFlags & {
  readonly limit?: number;
};

const LIMIT = 20;

export const stateHistoryCommand = defineCommand<HistoryFlags>({
  brief: "List the commands that changed a stage",
  description:
    "Lists when each command ran, who ran it, and how the stage was left, newest first. Serials of\n" +
    "ended commands are what scrim state show and export take. Commands that changed nothing\n" +
    "leave no trace, and old ones are pruned.",
  examples: [
    ["scrim state history --stage production", "the last 20"],
    ["scrim state history --stage production --limit 100", "more of them"],
  ],
  parameters: {
    flags: {
      ...stateFlags,
      limit: {
        kind: "parsed",
        parse: wholeNumber("--limit"),
        optional: true,
        brief: `How many at most [else ${LIMIT}]`,
        placeholder: "number",
      },
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { stageHistory } = await import("../../../operations/stage-history.ts");
    const limit = flags.limit ?? LIMIT;
    const { location, epochs } = await stageHistory(targetOf(flags), limit, session.context);
    const { app, stage } = location;
    session.answer({ app, stage, epochs }, () => historyTable(epochs, session.terminal.out));
    return EXIT.done;
  },
});

function historyTable(epochs: readonly EpochSummary[], out: Output): string {
  const rows = epochs.map((epoch) => [
    String(epoch.serial),
    timeText(epoch.startedAt),
    safeLine(epoch.command),
    epoch.status === "open" ? "in progress" : epoch.status,
    epoch.status === "open" ? "?" : String(epoch.resources),
    safeLine(epoch.who),
  ]);
  const titles = [
    { title: "Serial", align: "right" as const },
    { title: "Started", minWidth: 16 },
    { title: "Command" },
    { title: "Status" },
    { title: "Resources", align: "right" as const },
    { title: "Who" },
  ];
  return tableText(titles, rows, out.columns, out.style);
}
