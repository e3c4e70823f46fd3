import type { EpochSummary } from "../home/journal.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { openHome } from "./open-home.ts";
import { notFound } from "./remove.ts";

/**
 * The commands that changed a stage, newest first, as far back as they are kept.
 *
 * @throws DiagnosticError `STAGE_NOT_FOUND` (exit 1), of the home (6)
 */
export async function stageHistory(
  target: Target,
  limit: number,
  context: OperationContext,
): Promise<{ readonly location: Location; readonly epochs: readonly EpochSummary[] }> {
  const location = await locate(target, { stateIsEnough: true }, context);
  const home = await openHome(location, context);
  const epochs = await home.stage(location.app, location.stage).history(limit);
  if (epochs.length === 0) throw notFound(location.app, location.stage);
  return { location, epochs };
}
