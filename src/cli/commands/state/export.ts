import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { defineCommand, type StateFlags } from "../../command.ts";
import { stateFlags, wholeNumber } from "../../flags.ts";
import { prettyJson } from "../../render/json.ts";
import { targetOf } from "../../session.ts";

type ExportFlags = StateFlags & {
  readonly serial?: number;
};

export const stateExportCommand = defineCommand<ExportFlags>({
  brief: "Print the whole state of a stage as JSON",
  description:
    "Prints everything that is recorded about the stage on standard output. Secrets stand in it as\n" +
    "keyed hashes, as they do in the home. docs/state-format.md describes the members.",
  examples: [
    ["scrim state export --stage production > production.json", "to keep or to compare"],
    ["scrim state export --stage production --serial 12", "as it was"],
  ],
  parameters: {
    flags: {
      ...stateFlags,
      serial: {
        kind: "parsed",
        parse: wholeNumber("--serial"),
        optional: true,
        brief: "State at the end of an earlier command [else the newest]",
        placeholder: "number",
      },
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { showStage } = await import("../../../operations/show-stage.ts");
    const shown = await showStage(targetOf(flags), flags.serial ?? null, session.context);
    session.progress.finish(false);
    session.terminal.out.write(prettyJson({ ...shown.snapshot }));
    return EXIT.done;
  },
});
