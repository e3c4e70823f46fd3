import type { AppSettings } from "../../config/app-settings.ts";
import { EXIT, fail } from "../../model/diagnostic.ts";
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
