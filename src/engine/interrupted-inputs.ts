import type { StoredInputs } from "../model/value.ts";

/**
 * Stands among the inputs of a resource whose last call was interrupted: it may or may not have been carried out. Its
 * value is the keyed hash of the inputs that the call was to set. No goal has such a key, so the inputs always differ.
 */
const MARK = "$interrupted";

/** The inputs after a call that may have set others; `known`: what they were before, null for a create. */
export function interruptedInputs(known: StoredInputs | null, inputsHash: string): StoredInputs {
  return { ...known, [MARK]: inputsHash };
}

/** What recorded inputs tell. */
export interface KnownInputs {
  /** The inputs before the interrupted call; null when nothing is known. */
  readonly known: StoredInputs | null;
  /** The hash of what an interrupted create was to set; null when the create was not interrupted. */
  readonly createdWith: string | null;
  /** Whether the thing may differ from what is known, so that it has to be updated in any case. */
  readonly isCertain: boolean;
}

export function knownInputs(inputs: StoredInputs | null): KnownInputs {
  const mark = inputs?.[MARK];
  if (inputs === null) return { known: null, createdWith: null, isCertain: false };
  if (typeof mark !== "string") return { known: inputs, createdWith: null, isCertain: true };
  const { [MARK]: _, ...known } = inputs;
  if (Object.keys(known).length > 0) return { known, createdWith: null, isCertain: false };
  return { known: null, createdWith: mark, isCertain: false };
}
