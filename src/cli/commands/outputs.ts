import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import { defineCommand, type StateFlags } from "../command.ts";
import { stateFlags } from "../flags.ts";
import { outputsText } from "../render/outputs.ts";
import { plainValueText } from "../render/value-text.ts";
import { type Session, targetOf } from "../session.ts";

export const outputsCommand = defineCommand<StateFlags, [name?: string]>({
  brief: "Show what the last deploy of a stage gave",
  description:
    "Shows what run() in the config returned, as the last deploy recorded it. Secrets are masked.\n" +
    "With a name, prints that value alone, for scripts; an unknown name exits 2.",
  examples: [
    ["scrim outputs --stage alice", "all of them"],
    ['curl "$(scrim outputs url --stage alice)"', "one of them"],
    ["scrim outputs --stage alice --json", "for programs"],
  ],
  parameters: {
    flags: stateFlags,
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "Only this output", parse: String, placeholder: "name", optional: true },
      ],
    },
  },
  async run(session, flags, name): Promise<ExitCode> {
    const { stageOutput, stageOutputs } = await import("../../operations/outputs.ts");
    if (name === undefined) {
      const { location, outputs } = await stageOutputs(targetOf(flags), session.context);
      const { app, stage } = location;
      session.answer({ app, stage, outputs }, () =>
        Object.keys(outputs).length === 0
          ? `Stage ${stage} of ${app} has no outputs.\n`
          : outputsText(outputs, session.terminal.out.style),
      );
      return EXIT.done;
    }
    const { location, value } = await stageOutput(targetOf(flags), name, session.context);
    const { app, stage } = location;
    session.answer({ app, stage, name, value }, () => oneValue(session, value));
    return EXIT.done;
  },
});

/** Exactly the value for a program that reads it; made harmless for a person's terminal. */
function oneValue(session: Session, value: Json): string {
  if (session.terminal.interactive) return plainValueText(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
