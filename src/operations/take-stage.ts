import type { Epoch, Head, StageLog } from "../home/journal.ts";
import { ownerOfThisProcess } from "../home/owner/owner.ts";
import { DiagnosticError, EXIT, fail } from "../model/diagnostic.ts";
import type { EpochStatus } from "../model/record.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { OperationContext } from "./context.ts";

export interface TakeOptions {
  /** The command, for the log: `deploy`. */
  readonly command: string;
  readonly lockTimeoutMs: number;
}

/** What was decided over a head that another writer has moved is decided anew this often. */
export const TAKE_ATTEMPTS_MAX = 3;

/**
 * Takes a stage right behind `head`, telling whom it waits for.
 *
 * @returns the epoch, or "moved" when the stage has another head by now
 * @throws DiagnosticError `STAGE_LOCKED` (exit 3) naming the holder
 */
export function takeStage(
  log: StageLog,
  head: Head,
  options: TakeOptions,
  context: OperationContext,
): Promise<Epoch | "moved"> {
  return log.begin(head, {
    owner: ownerOfThisProcess(),
    command: options.command,
    version: context.version,
    lockTimeoutMs: options.lockTimeoutMs,
    signal: context.signal,
    onWait: (holder, waitedMs) => {
      const seconds = Math.round(waitedMs / 1000);
      const message = `waiting for ${holder.owner.who} (${holder.command}), ${seconds} s`;
      context.emit({ kind: "progress", phase: "lock", message });
    },
  });
}

/** The refusal of a command that found the stage moved at every attempt. */
export function stageMoving(log: StageLog): DiagnosticError {
  return fail("STAGE_MOVING", `Other commands keep changing stage ${log.stage}`, {
    why: `What was decided was out of date ${TAKE_ATTEMPTS_MAX} times in a row.`,
    hint: "Run the command again when they are done.",
    exit: EXIT.locked,
  });
}

/** Lets a stage go, and deletes what of its log nothing needs any more. */
export async function releaseStage(
  log: StageLog,
  epoch: Epoch,
  status: EpochStatus,
  context: OperationContext,
): Promise<void> {
  await epoch.end(status);
  try {
    await log.prune();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    // The command is done; whoever changes the stage next tries again.
    const diagnostic = { ...error.diagnostics[0], severity: "warning" as const };
    context.emit({ kind: "diagnostic", diagnostic });
  }
}

/**
 * Takes a stage for a change of its records alone, works, and lets it go. The epoch ends with the status that the
 * stage had before: such a change neither completes nor breaks a deploy.
 *
 * @throws DiagnosticError `STAGE_LOCKED`, `STAGE_MOVING`, `FENCED` (exit 3), and what `work` throws
 */
export async function withHeldStage<T>(
  log: StageLog,
  options: TakeOptions,
  context: OperationContext,
  work: (epoch: Epoch) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= TAKE_ATTEMPTS_MAX; attempt += 1) {
    const { head } = await log.read();
    const [last] = await log.history(1);
    const epoch = await takeStage(log, head, options, context);
    if (epoch === "moved") continue;
    const before = last?.status === "open" ? "interrupted" : (last?.status ?? "done");
    const value = await hold(epoch, before, work);
    await releaseStage(log, epoch, statusAfter(before, epoch.snapshot()), context);
    return value;
  }
  throw stageMoving(log);
}

async function hold<T>(
  epoch: Epoch,
  before: EpochStatus,
  work: (epoch: Epoch) => Promise<T>,
): Promise<T> {
  try {
    return await work(epoch);
  } catch (error) {
    // A fenced or full log refuses this too; what made it so is the error that counts.
    await epoch.end(statusAfter(before, epoch.snapshot())).catch(() => undefined);
    throw error;
  }
}

function statusAfter(before: EpochStatus, { openIntents }: Snapshot): EpochStatus {
  return before === "done" && openIntents.length > 0 ? "interrupted" : before;
}
