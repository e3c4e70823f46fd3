import { type DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import { encodeName } from "../../model/stage-key.ts";
import type { Store } from "../store.ts";

/** Where everything of all stages is, as a prefix of keys. */
export const STATE_PREFIX = "state/";

/** Where one stage is in a store. The prefixes end in `/`. */
export interface StagePlace {
  readonly store: Store;
  readonly app: string;
  readonly stage: string;
  readonly logPrefix: string;
  readonly snapshotPrefix: string;
}

export function stagePlace(store: Store, app: string, stage: string): StagePlace {
  const logPrefix = stageFolder(app, stage, "log");
  return { store, app, stage, logPrefix, snapshotPrefix: stageFolder(app, stage, "snap") };
}

/** One of a stage's folders, ending in `/`. */
export function stageFolder(app: string, stage: string, part: "log" | "snap" | "secrets"): string {
  return `${appFolder(app)}${encodeName("s", stage)}/${part}/`;
}

/** Everything of an app, ending in `/`. */
export function appFolder(app: string): string {
  return `${STATE_PREFIX}${encodeName("a", app)}/`;
}

/** Where the secrets of a stage are, or the fallback secrets of the app when `stage` is null. */
export function secretsPrefix(app: string, stage: string | null): string {
  return stage === null ? `${appFolder(app)}fallback/` : stageFolder(app, stage, "secrets");
}

/** A file of the home is not what was written; nothing is guessed from what is left. */
export function stateCorrupt(
  store: Store,
  key: string,
  why: string,
  lastGoodSerial: number,
): DiagnosticError {
  const rest =
    lastGoodSerial === 0
      ? "Nothing before it can be read either."
      : `Everything up to serial ${lastGoodSerial} is good.`;
  return fail("STATE_CORRUPT", `The file ${store.location}/${key} is damaged: ${why}`, {
    why: `${rest} Going on without it could forget resources that exist.`,
    hint: "Put the file back from a backup of the home, then run the command again.",
    exit: EXIT.home,
  });
}

/** A file of the home was written by a later version. */
export function stateTooNew(store: Store, key: string, requires: string | null): DiagnosticError {
  const version = requires ?? "a newer version than this one";
  return fail("STATE_TOO_NEW", `Reading ${store.location}/${key} needs ${version}`, {
    why: "It was written in a format that this version does not know, so it is left alone.",
    hint: `Install ${requires === null ? "the newest version" : `version ${requires} or newer`}.`,
    exit: EXIT.home,
  });
}
