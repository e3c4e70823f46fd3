import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { Drift } from "../../operations/refresh.ts";
import { defineCommand, type StateFlags } from "../command.ts";
import { lockTimeoutFlag, stateFlags } from "../flags.ts";
import { driftDocument, driftText } from "../render/drift.ts";
import { targetOf } from "../session.ts";

type RefreshFlags = StateFlags & {
  readonly lockTimeout?: number;
};

export const refreshCommand = defineCommand<RefreshFlags>({
  brief: "Read the cloud and record what differs",
  description:
    "Reads every resource of the stage, tells what was changed or deleted by somebody else, and\n" +
    "records it, so that the next deploy brings it back. Changes nothing in the cloud.\n" +
    "Exits 0 also where there is drift, and 7 when a resource could not be read.",
  examples: [
    ["scrim refresh --stage production", "what differs from the last deploy"],
    ["scrim refresh --stage production --json", "for programs"],
  ],
  parameters: {
    flags: {
      ...stateFlags,
      lockTimeout: lockTimeoutFlag,
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { refresh } = await import("../../operations/refresh.ts");
    const options = { lockTimeoutMs: flags.lockTimeout ?? 0 };
    const result = await refresh(targetOf(flags), options, session.context);
    const { location, drift, snapshot } = result;
    const { app, stage } = location;
    const resources = snapshot.resources.length;
    session.answer(
      { app, stage, serial: snapshot.serial, resources, drift: drift.map(driftDocument) },
      () => driftText(drift, resources, session.terminal.out.style),
    );
    if (session.context.signal.aborted) return EXIT.interrupted;
    return exitOf(drift);
  },
});

function exitOf(drift: readonly Drift[]): ExitCode {
  return drift.some(({ kind }) => kind === "unreadable") ? EXIT.partly : EXIT.done;
}
