import { type DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { Holder } from "../journal.ts";
import type { StagePlace } from "../log/stage-place.ts";

const WAIT =
  "Wait for it, or give --lock-timeout 10m to wait here. A holder that is gone is overtaken when it " +
  "has been silent for a minute; the unlock command ends it at once.";

/** Another process holds the stage. */
export function stageLocked(
  place: StagePlace,
  holder: Holder,
  hint: string = WAIT,
): DiagnosticError {
  const { owner, command, since, lastSeen } = holder;
  return fail("STAGE_LOCKED", `Stage ${place.stage} of ${place.app} is held by ${owner.who}`, {
    why: `Process ${owner.pid} runs "${command}" since ${since} and was last seen at ${lastSeen}.`,
    hint,
    exit: EXIT.locked,
  });
}

/** Another process has taken the stage from this one. */
export function stageFenced(place: StagePlace): DiagnosticError {
  return fail("FENCED", `Stage ${place.stage} of ${place.app} was taken over by another process`, {
    why: "This process was silent for too long, or somebody unlocked the stage, so it records nothing more.",
    hint: "Nothing is lost: run the command again, it finds what was begun and finishes it.",
    exit: EXIT.locked,
  });
}
