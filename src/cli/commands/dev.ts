import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { TellDev } from "../../operations/dev/dev-event.ts";
import { exitOf } from "../applied.ts";
import { defineCommand, type StageFlags } from "../command.ts";
import { lockTimeoutFlag, stageFlags } from "../flags.ts";
import { type Session, targetOf } from "../session.ts";

type DevFlags = StageFlags & {
  readonly lockTimeout?: number;
};

export const devCommand = defineCommand<DevFlags>({
  brief: "Serve a stage, and change it with every save",
  description:
    "Deploys the stage with $dev set, then follows the files: a saved handler answers in its new\n" +
    "version a moment later; a changed config, .env or secret is deployed. What does not work is\n" +
    "shown, and the last good version goes on answering. Shows the logs of all functions.\n" +
    "Ctrl-C ends it; the stage stays deployed as it is. A protected stage is refused.",
  examples: [
    ["scrim dev", "your personal stage"],
    ["scrim dev --stage alice", "the stage alice"],
    ["scrim dev --json", "one JSON document a line, for programs"],
  ],
  parameters: {
    flags: {
      ...stageFlags,
      lockTimeout: lockTimeoutFlag,
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { dev } = await import("../../operations/dev/dev.ts");
    session.progress.finish(false);
    const view = await openView(session);
    try {
      const { unfinished } = await dev(
        targetOf(flags),
        { lockTimeoutMs: flags.lockTimeout ?? 0 },
        {
          ...session.context,
          emit: view.emit,
          // Nobody reads any more, as after `scrim dev | head`.
          signal: AbortSignal.any([session.context.signal, session.terminal.out.closed]),
        },
        view.tell,
      );
      return unfinished === null ? EXIT.done : exitOf(unfinished);
    } finally {
      view.finish();
    }
  },
});

async function openView({ terminal, json, verbose, context }: Session) {
  if (!json) {
    const { startDevView } = await import("../render/dev-view.ts");
    return startDevView(terminal, { cwd: context.cwd, verbose });
  }
  const { jsonDocument, jsonEvent } = await import("../render/json.ts");
  const tell: TellDev = (event) => terminal.out.write(jsonDocument({ ...event }));
  return {
    tell,
    emit: (event: Parameters<typeof jsonEvent>[0]) => terminal.out.write(jsonEvent(event)),
    finish: () => undefined,
  };
}
