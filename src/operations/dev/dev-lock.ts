import { randomUUID } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Liveness, machineLiveness } from "../../home/owner/liveness.ts";
import { ownerOfThisProcess } from "../../home/owner/owner.ts";
import { processFacts } from "../../home/owner/process-facts.ts";
import { EXIT, fail } from "../../model/diagnostic.ts";
import type { Owner } from "../../model/record.ts";
import { stageKey } from "../../model/stage-key.ts";

/** Shows other runs of `dev` on this machine that a stage has one. */
export interface DevLock {
  /** Lets the next one in. Idempotent. */
  release(): void;
}

export interface DevLockOptions {
  /** Absolute path of the folder that such locks lie in; made when it is not there. */
  readonly folder: string;
  readonly app: string;
  readonly stage: string;
  /** Tells whether a holder's process runs; by default what this machine's kernel tells. */
  readonly liveness?: Liveness;
}

/** How often a holder touches its file, for those who cannot see its process. */
const BEAT_MS = 5_000;
/** A holder whose process cannot be seen and whose file was not touched for so long is gone. */
const SILENCE_MS = 30_000;
/** Each loss means that another one has just come or gone. */
const ATTEMPTS_MAX = 5;

/**
 * Keeps two runs of `dev` from undoing each other's changes of one stage, save by save. It is a courtesy and guards no
 * data: what keeps state whole is the stage's log, which every change takes and lets go. So the file is not made to
 * survive a power cut.
 *
 * @throws DiagnosticError `DEV_RUNNING` (exit 3) naming the holder
 */
export function takeDevLock(options: DevLockOptions): DevLock {
  const { folder, app, stage } = options;
  const file = join(folder, `${stageKey(app, stage)}.json`);
  // The nonce tells two runs of one process apart that began in the same millisecond.
  const holder = { since: new Date().toISOString(), nonce: randomUUID() };
  const mine = `${JSON.stringify({ ...ownerOfThisProcess(), ...holder })}\n`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (createFile(file, mine)) return heldLock(file, mine);
    const found = readText(file);
    if (found === null) continue;
    const holder = parseHolder(found);
    if (holder !== null && isHeld(file, holder, options.liveness)) {
      throw devRunning(app, stage, holder);
    }
    discard(file, found);
  }
  throw devRunning(app, stage, null);
}

type Holder = Owner & { readonly since: string };

function heldLock(file: string, mine: string): DevLock {
  const beat = setInterval(() => touch(file), BEAT_MS);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      if (readText(file) === mine) rmSync(file, { force: true });
    },
  };
}

/** Creates the file with all of its text, or not at all. False when there is one. */
function createFile(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Takes a dead holder's file away; one that a living process has put there meanwhile is put back. */
function discard(file: string, dead: string): void {
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, aside);
  } catch {
    // Another run took it away first; the next attempt finds what it left.
    return;
  }
  const taken = readText(aside);
  if (taken !== null && taken !== dead) createFile(file, taken);
  rmSync(aside, { force: true });
}

function isHeld(file: string, holder: Holder, given: Liveness | undefined): boolean {
  const liveness = given ?? machineLiveness(processFacts);
  const verdict = liveness.check(holder);
  if (verdict !== "unknown") return verdict === "alive";
  const touched = statSync(file, { throwIfNoEntry: false });
  return touched !== undefined && Date.now() - touched.mtimeMs < SILENCE_MS;
}

function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Somebody deleted the home; what works on it will say so.
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** Null for what no run of `dev` wrote. */
function parseHolder(text: string): Holder | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { who, pid, pidStart, bootId, pidNamespace, since } = value as Record<string, unknown>;
  const texts = { who, pidStart, bootId, pidNamespace, since };
  if (typeof pid !== "number") return null;
  if (Object.values(texts).some((each) => typeof each !== "string")) return null;
  return { pid, ...(texts as Omit<Holder, "pid">) };
}

function devRunning(app: string, stage: string, holder: Holder | null): Error {
  const who = holder === null ? "another process" : `${holder.who}, process ${holder.pid}`;
  return fail("DEV_RUNNING", `Stage ${stage} of ${app} is under scrim dev already`, {
    why:
      holder === null
        ? "Another process took it at this moment."
        : `It is run by ${who}, since ${holder.since}.`,
    hint: "Use that one, or end it first, or give another stage with --stage.",
    exit: EXIT.locked,
  });
}
