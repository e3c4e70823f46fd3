import type { AppSettings } from "../../config/app-settings.ts";
import { type DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { Snapshot } from "../../model/snapshot.ts";

/**
 * Keeps `dev` from a protected stage, where every save would be live.
 *
 * @throws DiagnosticError `STAGE_PROTECTED` (exit 5)
 */
export function refuseProtected(settings: AppSettings, snapshot: Snapshot): void {
  if (!settings.protect && snapshot.facts?.protect !== true) return;
  throw fail("STAGE_PROTECTED", `Cannot run dev on protected stage ${snapshot.stage}`, {
    why: settings.protect
      ? "The config protects it, and every save would be live there."
      : "It was protected by its last deploy, and every save would be live there.",
    hint: "Give a stage of your own with --stage, or deploy it with protect: false first.",
    exit: EXIT.guarded,
  });
}

/** Saving a file must not bring back what somebody else removed on purpose. */
export function stageRemoved({ app, stage }: Snapshot): DiagnosticError {
  return fail("STAGE_REMOVED", `Stage ${stage} of ${app} was removed by another command`, {
    why: "So there is nothing that could follow your files.",
    hint: "Start scrim dev again to make the stage anew.",
    exit: EXIT.failed,
  });
}

/** A run of `dev` belongs to one stage of one app in one home. */
export function appChanged(app: string): DiagnosticError {
  return fail("DEV_APP_CHANGED", `The config describes another app than ${app}, or another home`, {
    why: "This run of dev goes on serving what it has.",
    hint: "End it, and start scrim dev again.",
    exit: EXIT.usage,
  });
}
