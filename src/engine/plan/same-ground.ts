import type { Snapshot } from "../../model/snapshot.ts";

/**
 * Whether a plan made over one state is the plan over the other as well: planning looks at records, open intents and
 * protection. Records that nothing has touched are the very same, so that this takes no time; a false answer costs no
 * more than planning again.
 */
export function isSameGround(before: Snapshot, now: Snapshot): boolean {
  return (
    before.resources === now.resources &&
    before.openIntents.length === 0 &&
    now.openIntents.length === 0 &&
    (before.facts?.protect === true) === (now.facts?.protect === true)
  );
}
