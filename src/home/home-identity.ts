import { EXIT, fail } from "../model/diagnostic.ts";
import type { Clock, Random } from "../model/world.ts";
import { commitSlot } from "./log/commit-slot.ts";
import { FormError, intAt, objectOf, textAt } from "./log/form.ts";
import { FORMAT } from "./log/frame.ts";
import { stateTooNew } from "./log/stage-place.ts";
import type { Store } from "./store.ts";

const KEY = "home.json";

/**
 * The random identity of a home, 32 hex digits, made once; of several that make it at the same time one wins.
 *
 * @throws DiagnosticError `STATE_CORRUPT`, `STATE_TOO_NEW` (exit 6)
 */
export async function homeId(store: Store, random: Random, clock: Clock): Promise<string> {
  const present = await store.get(KEY);
  if (present !== null) return parseHome(store, present);
  const id = Buffer.from(random.bytes(16)).toString("hex");
  const bytes = Buffer.from(`${JSON.stringify({ format: FORMAT, id })}\n`);
  if ((await commitSlot(store, KEY, bytes, clock)) === "ours") return id;
  const winner = await store.get(KEY);
  return winner === null ? homeId(store, random, clock) : parseHome(store, winner);
}

function parseHome(store: Store, bytes: Uint8Array): string {
  try {
    const object = objectOf(JSON.parse(Buffer.from(bytes).toString("utf8")), "content");
    if (intAt(object, "format") > FORMAT) throw stateTooNew(store, KEY, null);
    const id = textAt(object, "id");
    if (/^[0-9a-f]{32}$/.test(id)) return id;
    throw new FormError("its id is not 32 hex digits");
  } catch (error) {
    if (!(error instanceof FormError || error instanceof SyntaxError)) throw error;
    throw fail("STATE_CORRUPT", `The file ${store.location}/${KEY} is damaged: ${error.message}`, {
      why: "It says which home this is, and what runs for the home finds it by that.",
      hint: "Put the file back from a backup of the home.",
      exit: EXIT.home,
    });
  }
}
