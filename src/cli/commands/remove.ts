import type { ExitCode } from "../../model/diagnostic.ts";
import type { ResourceState } from "../../model/resource.ts";
import { appliedDocument, exitOf } from "../applied.ts";
import { defineCommand, type StateFlags } from "../command.ts";
import { lockTimeoutFlag, stateFlags } from "../flags.ts";
import { targetOf } from "../session.ts";

type RemoveFlags = StateFlags & {
  readonly continue?: boolean;
  readonly yes?: boolean;
  readonly lockTimeout?: number;
};

export const removeCommand = defineCommand<RemoveFlags>({
  brief: "Remove a stage",
  description:
    "Deletes the stage's resources, or keeps its data or all of it, as removal in the config says.\n" +
    "Works from what is recorded where the config no longer builds. A protected stage is refused.",
  examples: [
    ["scrim remove --stage pr-42", "remove the stage pr-42"],
    ["scrim remove --stage pr-42 --continue", "go on past what cannot be deleted"],
    ["scrim remove --app shop --stage old", "without the app's config"],
  ],
  parameters: {
    flags: {
      ...stateFlags,
      continue: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Go on past failures, to what waits for them too, and report what is left",
      },
      yes: { kind: "boolean", optional: true, withNegated: false, brief: "Do not ask" },
      lockTimeout: lockTimeoutFlag,
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { remove } = await import("../../operations/remove.ts");
    const result = await remove(
      targetOf(flags),
      {
        confirmed: flags.yes === true,
        pastFailures: flags.continue === true,
        lockTimeoutMs: flags.lockTimeout ?? 0,
      },
      session.context,
    );
    const { location, removal, removalFromConfig, changed } = result;
    const { resources } = changed.snapshot;
    const isKept = ({ status }: ResourceState): boolean => status === "retained";
    const retained = resources.filter(isKept).map(({ urn }) => urn);
    const left = resources.filter((state) => !isKept(state)).map(({ urn }) => urn);
    session.progress.finish();
    session.answer(
      { ...appliedDocument(location, changed), removal, removalFromConfig, retained, left },
      () => removedText(removal, removalFromConfig, retained) + leftText(left, flags),
    );
    return exitOf(changed);
  },
});

/** What could not be deleted, and what to do about it. */
function leftText(left: readonly string[], flags: RemoveFlags): string {
  if (left.length === 0) return "";
  const advice =
    flags.continue === true
      ? "Solve what the problems above say, then run scrim remove again."
      : "Run scrim remove again, or with --continue to go on past what cannot be deleted.";
  return `${["Left:", ...left.map((urn) => `  ${urn}`), advice].join("\n")}\n`;
}

function removedText(removal: string, fromConfig: boolean, retained: readonly string[]): string {
  const from = fromConfig ? "of the config" : "recorded at the last deploy";
  const lines = [`removal: ${removal} (${from})`];
  if (retained.length > 0) {
    lines.push("Kept:", ...retained.map((urn) => `  ${urn}`));
    lines.push('The next deploy takes it back; a removal under removal: "remove" deletes it.');
  }
  return `${lines.join("\n")}\n`;
}
