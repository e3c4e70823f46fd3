import type { Holder } from "../home/journal.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { openHome } from "./open-home.ts";
import { notFound } from "./remove.ts";

export interface ShownStage {
  readonly location: Location;
  readonly snapshot: Snapshot;
  /** Who holds the stage now; null when nobody does, and for an earlier serial. */
  readonly holder: Holder | null;
}

/**
 * What is recorded about a stage, now or at the end of an earlier command.
 *
 * @param serial as the history lists it; null for the newest state
 * @throws DiagnosticError `STAGE_NOT_FOUND` (exit 1), `SERIAL_UNKNOWN` (2), of the home (6)
 */
export async function showStage(
  target: Target,
  serial: number | null,
  context: OperationContext,
): Promise<ShownStage> {
  const location = await locate(target, { stateIsEnough: true }, context);
  const log = (await openHome(location, context)).stage(location.app, location.stage);
  const { snapshot, head, notes } = await log.read();
  for (const message of notes) context.emit({ kind: "progress", phase: "home", message });
  if (snapshot.serial === 0) throw notFound(location.app, location.stage);
  if (serial === null) return { location, snapshot, holder: head.holder };
  return { location, snapshot: await log.at(serial), holder: null };
}
