import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { DeployResult } from "../../operations/deploy.ts";
import { appliedDocument, exitOf } from "../applied.ts";
import { defineCommand, type StageFlags } from "../command.ts";
import { lockTimeoutFlag, nonEmpty, stageFlags } from "../flags.ts";
import { outputsText } from "../render/outputs.ts";
import { type Session, targetOf } from "../session.ts";

type DeployFlags = StageFlags & {
  readonly allowDestroy?: readonly string[];
  readonly allowEmpty?: boolean;
  readonly lockTimeout?: number;
};

export const deployCommand = defineCommand<DeployFlags>({
  brief: "Make a stage, or bring it up to date",
  description:
    "Makes the stage what scrim.config.ts says, and writes .scrim/outputs.json.\n" +
    "Interrupted at any moment, the next run of the same command goes on from there.",
  examples: [
    ["scrim deploy", "your personal stage"],
    ["scrim deploy --stage production", "the stage production"],
    ["scrim deploy --stage pr-42 --lock-timeout 10m", "wait for another deploy of it"],
    ["scrim deploy --allow-destroy Notes", "replace the data of Notes on purpose"],
  ],
  parameters: {
    flags: {
      ...stageFlags,
      allowDestroy: {
        kind: "parsed",
        parse: nonEmpty("--allow-destroy"),
        optional: true,
        variadic: true,
        brief: "Component whose data may be deleted or replaced; may be repeated",
        placeholder: "name",
      },
      allowEmpty: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "A config without components is meant, and deletes everything",
      },
      lockTimeout: lockTimeoutFlag,
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { deploy } = await import("../../operations/deploy.ts");
    const result = await deploy(
      targetOf(flags),
      {
        allowDestroy: flags.allowDestroy ?? [],
        allowEmpty: flags.allowEmpty === true,
        lockTimeoutMs: flags.lockTimeout ?? 0,
      },
      session.context,
    );
    return tellDeployed(session, result);
  },
});

function tellDeployed(session: Session, result: DeployResult): ExitCode {
  const { location, changed, shownOutputs } = result;
  const exit = exitOf(changed);
  session.progress.finish();
  const { out } = session.terminal;
  session.answer({ ...appliedDocument(location, changed), outputs: shownOutputs }, () =>
    exit === EXIT.done && Object.keys(shownOutputs).length > 0
      ? `\n${outputsText(shownOutputs, out.style)}`
      : "",
  );
  return exit;
}
