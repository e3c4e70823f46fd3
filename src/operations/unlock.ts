import type { Holder } from "../home/journal.ts";
import { ownerOfThisProcess } from "../home/owner/owner.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { openHome } from "./open-home.ts";
import { notFound } from "./remove.ts";

export interface UnlockResult {
  readonly location: Location;
  readonly result: "unlocked" | "not-locked";
  /** Who held the stage; null when nobody did. */
  readonly holder: Holder | null;
  readonly openIntents: number;
}

/**
 * Ends the epoch of a command that holds a stage and will not come back. Rarely needed: a holder that is known dead,
 * or silent for a minute, is overtaken by the next command anyway.
 *
 * @throws DiagnosticError `STAGE_LOCKED` (exit 3) when the holder is alive and `force` is not set
 */
export async function unlock(
  target: Target,
  options: { readonly force: boolean },
  context: OperationContext,
): Promise<UnlockResult> {
  const location = await locate(target, { stateIsEnough: true }, context);
  const log = (await openHome(location, context)).stage(location.app, location.stage);
  const { snapshot, head } = await log.read();
  if (snapshot.serial === 0) throw notFound(location.app, location.stage);
  const result = await log.unlock({
    owner: ownerOfThisProcess(),
    command: "unlock",
    version: context.version,
    lockTimeoutMs: 0,
    signal: context.signal,
    force: options.force,
  });
  return { location, result, holder: head.holder, openIntents: snapshot.openIntents.length };
}
