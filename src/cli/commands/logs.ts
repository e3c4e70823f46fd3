import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { LogsResult } from "../../operations/logs.ts";
import { defineCommand, type StateFlags } from "../command.ts";
import { duration, nonEmpty, stateFlags } from "../flags.ts";
import { jsonLogEntry } from "../render/json.ts";
import { logRenderer } from "../render/log-line.ts";
import { type Session, targetOf } from "../session.ts";

type LogsFlags = StateFlags & {
  readonly tail?: boolean;
  readonly since?: number;
  readonly function?: readonly string[];
};

/** Following begins a little before now, so that what was just tried is seen. */
const TAIL_SINCE_MS = 60_000;

export const logsCommand = defineCommand<LogsFlags>({
  brief: "Show the logs of a stage",
  description:
    "Shows what the functions of the stage wrote, merged by time. With --tail goes on until Ctrl-C,\n" +
    "beginning a minute ago; else shows all that is kept and ends. --json writes one document a line.",
  examples: [
    ["scrim logs --stage alice --tail", "follow"],
    ["scrim logs --stage production --since 2h", "the last two hours"],
    ["scrim logs --function Api", "every route of one API"],
    ['scrim logs --function "Api/GET /notes" --tail', "one route"],
    ["scrim logs --since 10m --json", "for programs"],
  ],
  parameters: {
    flags: {
      ...stateFlags,
      tail: { kind: "boolean", optional: true, withNegated: false, brief: "Follow until Ctrl-C" },
      since: {
        kind: "parsed",
        parse: duration("--since"),
        optional: true,
        brief: "Only what is younger [else all; with --tail 1m]",
        placeholder: "10m",
      },
      function: {
        kind: "parsed",
        parse: nonEmpty("--function"),
        optional: true,
        variadic: true,
        brief: "Only this function, or all of this component; may be repeated",
        placeholder: "name",
      },
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { logs } = await import("../../operations/logs.ts");
    const { context, terminal, json } = session;
    session.endsAnyTime();
    const follow = flags.tail === true;
    const line = json ? jsonLogEntry : logRenderer(terminal.out.style, !follow);
    const result = await logs(
      targetOf(flags),
      {
        sinceMs: sinceOf(flags, context.clock.now()),
        functions: flags.function ?? [],
        follow,
        signal: AbortSignal.any([context.signal, terminal.out.closed]),
        onEntry: (entry) => terminal.out.write(line(entry)),
      },
      context,
    );
    tellNothing(session, result, follow);
    return context.signal.aborted ? EXIT.interrupted : EXIT.done;
  },
});

function sinceOf({ since, tail }: LogsFlags, nowMs: number): number | null {
  if (since !== undefined) return nowMs - since;
  return tail === true ? nowMs - TAIL_SINCE_MS : null;
}

/** Silence would leave open whether there is nothing or something is wrong. */
function tellNothing(session: Session, result: LogsResult, follow: boolean): void {
  const { stage, app } = result.location;
  if (session.json) return;
  if (result.functions === 0)
    session.terminal.err.write(`Stage ${stage} of ${app} has no functions`);
  else if (result.entries === 0 && !follow) session.terminal.err.write("No log lines");
}
