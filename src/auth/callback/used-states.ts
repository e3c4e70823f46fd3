import type { SignIn } from "./sign-in-state.ts";

/** At most this many are remembered; one lives ten minutes. */
const USED_MAX = 10_000;

/** States that came back, with the time when they are over anyway; the oldest first. */
const used = new Map<string, number>();

/**
 * Whether a sign-in comes back for the first time in this instance of the function. Its cookie is dropped from the
 * browser too, and providers take a code once.
 */
export function useOnce(signIn: SignIn, nowMs: number): boolean {
  for (const [state, expiresAtMs] of used) {
    if (expiresAtMs > nowMs && used.size < USED_MAX) break;
    used.delete(state);
  }
  if (used.has(signIn.state)) return false;
  used.set(signIn.state, signIn.expiresAtMs);
  return true;
}
