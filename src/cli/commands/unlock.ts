import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { UnlockResult } from "../../operations/unlock.ts";
import { defineCommand, type StateFlags } from "../command.ts";
import { stateFlags } from "../flags.ts";
import { safeLine } from "../render/safe-text.ts";
import { targetOf } from "../session.ts";

type UnlockFlags = StateFlags & {
  readonly force?: boolean;
};

export const unlockCommand = defineCommand<UnlockFlags>({
  brief: "Release a stage that a command left held",
  description:
    "Shows who holds the stage and ends that hold. Refused while the holder is provably alive.\n" +
    "Rarely needed: a dead or silent holder is overtaken by the next command. Not held: exit 0.",
  examples: [
    ["scrim unlock --stage alice", "release the stage alice"],
    ["scrim unlock --stage alice --force", "although its holder seems alive"],
  ],
  parameters: {
    flags: {
      ...stateFlags,
      force: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Although the holder seems alive",
      },
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { unlock } = await import("../../operations/unlock.ts");
    const result = await unlock(targetOf(flags), { force: flags.force === true }, session.context);
    const { location, holder, openIntents } = result;
    const { app, stage } = location;
    session.answer({ app, stage, result: result.result, holder, openIntents }, () =>
      unlockedText(result),
    );
    return EXIT.done;
  },
});

function unlockedText({ location, result, holder, openIntents }: UnlockResult): string {
  const { app, stage } = location;
  if (result === "not-locked" || holder === null) return `${app}/${stage} is not locked\n`;
  const { owner, command, since } = holder;
  const lines = [
    `${app}/${stage} is released`,
    `  was held by ${safeLine(owner.who)} (process ${owner.pid}), ${safeLine(command)}, since ${since}`,
  ];
  if (openIntents > 0) lines.push(`  ${openIntents} interrupted operations are settled next time`);
  return `${lines.join("\n")}\n`;
}
