import { readFile, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../../model/world.ts";
import { createDurably, hasCode, makeFolder } from "../../durable-file.ts";
import { localFolders } from "../../folders.ts";
import { type HomePlace, isCopied, parseHomePlace, placeOfHome } from "../../home-place.ts";
import { listFolder } from "../../list-folder.ts";
import { currentProcess, livenessOf, type ProcessIdentity } from "../../process-identity.ts";

/**
 * The right to be the one server of a home. Claims are numbered files, created only if absent; the
 * highest number holds. The highest is never deleted, so a process that comes late cannot take a
 * number that was used before.
 */
export interface Claim {
  /**
   * Shows processes of other containers that this one lives. To be called every {@link
   * CLAIM_BEAT_MS}.
   */
  beat(): Promise<void>;
  /**
   * Lets the next server take the home at once, also one of another container, to which an ended
   * process looks like a silent one. Nothing of the home may be touched any more.
   */
  release(): Promise<void>;
}

/** Who took a claim, and for which folder; earlier versions did not tell the folder. */
interface Holder extends ProcessIdentity {
  readonly home?: HomePlace;
}

export const CLAIM_BEAT_MS = 2_000;

/**
 * A holder that cannot be judged by its number is dead once its claim has not been touched for this
 * long.
 */
const SILENCE_MS = 10 * CLAIM_BEAT_MS;

/**
 * Silence by the wall clock that needs no watching; far above what clocks of one machine's
 * containers differ.
 */
const LONG_SILENCE_MS = 2 * 60_000;

/**
 * Takes the home when its last holder is dead.
 *
 * @returns the claim, or null when another server holds the home
 */
export async function claimHome(
  homeFolder: string,
  clock: Clock,
  silenceMs = SILENCE_MS,
): Promise<Claim | null> {
  const folder = localFolders(homeFolder).claims;
  await makeFolder(folder);
  const highest = Math.max(0, ...(await claimNumbers(folder)));
  const last = join(folder, nameOf(highest));
  if (highest > 0 && (await isHeld(last, homeFolder, clock, silenceMs))) return null;
  const mine = highest + 1;
  const file = join(folder, nameOf(mine));
  const holder: Holder = { ...currentProcess(), home: await placeOfHome(homeFolder) };
  if (!(await createDurably(file, `${JSON.stringify(holder)}\n`))) return null;
  return (await isHighest(folder, mine)) ? heldClaim(folder, file, mine) : null;
}

async function heldClaim(folder: string, file: string, mine: number): Promise<Claim> {
  for (const older of (await claimNumbers(folder)).filter((number) => number < mine)) {
    await unlinkIfThere(join(folder, nameOf(older)));
  }
  return {
    beat: async () => {
      const now = new Date();
      await utimes(file, now, now);
    },
    release: async () => {
      try {
        await utimes(file, 0, 0);
      } catch (error) {
        // The home may have been deleted.
        if (!hasCode(error, "ENOENT")) throw error;
      }
    },
  };
}

/** A claim whose number had been used and swept is beaten by the one that swept it. */
async function isHighest(folder: string, mine: number): Promise<boolean> {
  if ((await claimNumbers(folder)).every((number) => number <= mine)) return true;
  await unlinkIfThere(join(folder, nameOf(mine)));
  return false;
}

async function isHeld(
  file: string,
  homeFolder: string,
  clock: Clock,
  silenceMs: number,
): Promise<boolean> {
  const holder = await readHolder(file);
  // Written whole or not at all, so an unreadable claim is damage that no living holder stands
  // behind.
  if (holder === null) return false;
  const liveness = livenessOf(holder);
  if (liveness === "alive") {
    return holder.home === undefined || !(await isCopied(holder.home, homeFolder));
  }
  if (liveness === "dead") return false;
  // One of before a reboot, or of a container that ended, has usually been silent for long.
  if (clock.now() - (await touchedAt(file)) > LONG_SILENCE_MS) return false;
  return movesWithin(file, clock, silenceMs);
}

/** Watches on our own clock, so that clocks that differ do no harm. */
async function movesWithin(file: string, clock: Clock, silenceMs: number): Promise<boolean> {
  const first = await touchedAt(file);
  const until = clock.monotonicMs() + silenceMs;
  while (clock.monotonicMs() < until) {
    await clock.sleep(Math.min(500, silenceMs));
    const touched = await touchedAt(file);
    if (touched !== first) return touched !== 0;
  }
  return false;
}

/** 0 for a claim that was released or swept. */
async function touchedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return 0;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value !== "object" || value === null) return null;
    const { pid, pidStart, bootId, pidNamespace, ...more } = value as Record<string, unknown>;
    if (typeof pid !== "number" || typeof pidStart !== "string") return null;
    if (typeof bootId !== "string" || typeof pidNamespace !== "string") return null;
    const home = parseHomePlace(more["home"]);
    const identity = { pid, pidStart, bootId, pidNamespace };
    return home === undefined ? identity : { ...identity, home };
  } catch (error) {
    if (hasCode(error, "ENOENT") || error instanceof SyntaxError) return null;
    throw error;
  }
}

async function claimNumbers(folder: string): Promise<readonly number[]> {
  const names = await listFolder(folder);
  return names.flatMap((name) => {
    const number = /^(\d{10})\.json$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

function nameOf(number: number): string {
  return `${String(number).padStart(10, "0")}.json`;
}

async function unlinkIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
