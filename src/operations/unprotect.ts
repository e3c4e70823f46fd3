import type { StageLog } from "../home/journal.ts";
import { fail } from "../model/diagnostic.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { openHome } from "./open-home.ts";
import { notFound } from "./remove.ts";
import { withHeldStage } from "./take-stage.ts";

export interface Unprotected {
  readonly location: Location;
  /** False when the stage was not protected; then nothing was recorded. */
  readonly changed: boolean;
  /** Whether the config that is here protects the stage still. */
  readonly configProtects: boolean;
}

/**
 * Records that a stage may be removed. The next deploy records what the config says then.
 *
 * @param target its `stage` is the one that the user named
 * @throws DiagnosticError `STAGE_NOT_FOUND` (exit 1), `NOT_CONFIRMED` (2), `STAGE_LOCKED` (3), of the home (6)
 */
export async function unprotect(
  target: Target & { readonly stage: string },
  options: { readonly confirmed: boolean },
  context: OperationContext,
): Promise<Unprotected> {
  const location = await locate(target, { stateIsEnough: true }, context);
  const { app, stage } = location;
  const log = (await openHome(location, context)).stage(app, stage);
  const { snapshot } = await log.read();
  if (snapshot.serial === 0) throw notFound(app, stage);
  const configProtects = location.config?.app.protect === true;
  if (snapshot.facts?.protect !== true) return { location, changed: false, configProtects };
  await confirm(location, options.confirmed, context);
  await recordUnprotected(log, context);
  return { location, changed: true, configProtects };
}

async function recordUnprotected(log: StageLog, context: OperationContext): Promise<void> {
  const options = { command: "state unprotect", lockTimeoutMs: 0 };
  await withHeldStage(log, options, context, async (epoch) => {
    const { facts } = epoch.snapshot();
    if (facts === null) return;
    await epoch.append([{ kind: "facts", facts: { ...facts, protect: false } }]);
  });
}

async function confirm(
  { app, stage }: Location,
  confirmed: boolean,
  context: OperationContext,
): Promise<void> {
  if (confirmed) return;
  if (context.ask === null) {
    throw fail("NOT_CONFIRMED", `Lifting the protection of stage ${stage} must be confirmed`, {
      why: "There is no terminal to ask on.",
      hint: `Run scrim state unprotect ${stage} --yes.`,
    });
  }
  const text = `Lift the protection of ${app}/${stage}? Type the stage's name: `;
  if ((await context.ask({ text, hidden: false })).trim() === stage) return;
  throw fail("NOT_CONFIRMED", "Nothing was changed", {
    why: "The name typed is not that of the stage.",
  });
}
