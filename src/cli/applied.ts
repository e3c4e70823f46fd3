import { EXIT, type ExitCode } from "../model/diagnostic.ts";
import type { StageChanged } from "../operations/change-stage.ts";
import type { Location } from "../operations/locate.ts";

/** What a command that changed a stage exits with. */
export function exitOf({ applied }: StageChanged): ExitCode {
  if (applied === null || applied.status === "done") return EXIT.done;
  if (applied.status === "interrupted") return EXIT.interrupted;
  const { create, update, replace, delete: deleted, retain } = applied.counts;
  return create + update + replace + deleted + retain > 0 ? EXIT.partly : EXIT.failed;
}

/** What such a command answers under `--json`. */
export function appliedDocument(
  location: Location,
  { applied, snapshot }: StageChanged,
): Readonly<Record<string, unknown>> {
  return {
    app: location.app,
    stage: location.stage,
    stageSource: location.stageSource,
    serial: snapshot.serial,
    status: applied?.status ?? "unchanged",
    counts: applied?.counts ?? null,
    failed: (applied?.failed ?? []).map(({ step, diagnostic }) => ({
      urn: step.urn,
      action: step.action,
      diagnostic,
    })),
    skipped: (applied?.skipped ?? []).map(({ step, because }) => ({ urn: step.urn, because })),
  };
}
