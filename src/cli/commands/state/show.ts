import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import type { ShownStage } from "../../../operations/show-stage.ts";
import { defineCommand, type StateFlags } from "../../command.ts";
import { stateFlags, wholeNumber } from "../../flags.ts";
import { stageText } from "../../render/stage-text.ts";
import { targetOf } from "../../session.ts";

type ShowFlags = StateFlags & {
  readonly serial?: number;
};

export const stateShowCommand = defineCommand<ShowFlags>({
  brief: "Show what is recorded about a stage",
  description:
    "Shows where the stage lives, how it is protected, who holds it, and its resources.\n" +
    "--json adds their inputs and outputs; secrets are masked.",
  examples: [
    ["scrim state show --stage production", "as it is now"],
    [
      "scrim state show --stage production --serial 12",
      "as it was; scrim state history has numbers",
    ],
    ["scrim state show --app shop --stage old", "without the app's config"],
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
    const { out } = session.terminal;
    session.answer(documentOf(shown), () => stageText(shown, out.columns, out.style));
    return EXIT.done;
  },
});

function documentOf({ snapshot, holder }: ShownStage): Readonly<Record<string, unknown>> {
  const { app, stage, serial, lineage, updatedAt, facts, resources, openIntents } = snapshot;
  return { app, stage, serial, lineage, updatedAt, holder, facts, resources, openIntents };
}
