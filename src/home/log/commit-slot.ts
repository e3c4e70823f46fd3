import { EXIT, fail } from "../../model/diagnostic.ts";
import type { Clock } from "../../model/world.ts";
import { type Store, UnknownOutcome } from "../store.ts";

/** With the delays below, 20 s in all: longer than an object store's usual hiccup, shorter than a silent holder's end. */
const ATTEMPTS_MAX = 8;
const FIRST_DELAY_MS = 100;
const DELAY_MAX_MS = 5_000;

/**
 * Puts immutable bytes under a key that several writers may want. When the answer is lost, or says that the key is
 * taken, the key is read back: our own bytes there are our own success, whoever told us otherwise. The bytes must
 * hold something random, so that no other writer's are equal to them.
 *
 * @returns "taken" when other bytes stand there, or stood there and are gone again
 * @throws DiagnosticError `HOME_UNWRITABLE` (exit 6) when the store never says what became of the write
 * @throws whatever the store rejects with, and the signal's reason
 */
export async function commitSlot(
  store: Store,
  key: string,
  bytes: Uint8Array,
  clock: Clock,
  signal?: AbortSignal,
): Promise<"ours" | "taken"> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const answer = await tryPut(store, key, bytes);
    if (answer === "created") return "ours";
    const present = await store.get(key);
    if (present !== null) return Buffer.compare(present, bytes) === 0 ? "ours" : "taken";
    if (answer === "exists") return "taken";
    if (attempt < ATTEMPTS_MAX) await clock.sleep(delayMs(attempt), signal);
  }
  throw fail("HOME_UNWRITABLE", `${store.location} does not say whether it keeps what is written`, {
    why: `${ATTEMPTS_MAX} writes of ${key} ended without an answer, and reading it back found nothing.`,
    hint: "Run the command again when the store is reachable; nothing is lost.",
    exit: EXIT.home,
  });
}

async function tryPut(
  store: Store,
  key: string,
  bytes: Uint8Array,
): Promise<"created" | "exists" | "unknown"> {
  try {
    return await store.putIfAbsent(key, bytes);
  } catch (error) {
    if (error instanceof UnknownOutcome) return "unknown";
    throw error;
  }
}

function delayMs(attempt: number): number {
  return Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
}
