import { DiagnosticError } from "../model/diagnostic.ts";
import type { LogRecord } from "../model/record.ts";
import { decodeName } from "../model/stage-key.ts";
import type { StageSummary } from "./home.ts";
import { readFrame } from "./log/frame.ts";
import { readStage } from "./log/read-stage.ts";
import { slotOf } from "./log/slot-key.ts";
import { STATE_PREFIX, secretsPrefix, stageFolder, stagePlace } from "./log/stage-place.ts";
import { newestKeys } from "./newest-keys.ts";
import type { Store } from "./store.ts";

/** What a stage's folder holds; anything else there is not ours. */
const STAGE_PARTS: ReadonlySet<string> = new Set(["log", "snap", "secrets"]);
/** Frames fetched at once. */
const STAGES_AT_ONCE = 16;

type EpochEnd = LogRecord & { readonly kind: "epoch-end" };

/** What the listing of keys says of a stage. */
interface StageEntry {
  readonly app: string;
  readonly stage: string;
  /** Key of the newest frame; null when the stage has only secrets. */
  readonly head: string | null;
  readonly hasSnapshots: boolean;
  /** Serials of the two secrets logs that the stage uses; 0 when there is none. */
  readonly secrets: { readonly stage: number; readonly fallback: number };
}

/** Every stage of every app: one listing, and one read a stage whose last epoch has ended. See {@link Home.list}. */
export async function* listStages(store: Store): AsyncIterable<StageSummary> {
  const entries = stageEntries(await newestKeys(store, STATE_PREFIX));
  for (let from = 0; from < entries.length; from += STAGES_AT_ONCE) {
    const some = entries.slice(from, from + STAGES_AT_ONCE);
    yield* await Promise.all(some.map((entry) => summarize(store, entry)));
  }
}

/** By app, then stage. */
function stageEntries(newest: ReadonlyMap<string, string>): readonly StageEntry[] {
  const stages = new Map<string, { readonly app: string; readonly stage: string }>();
  for (const folder of newest.keys()) {
    const [, appKey = "", stageKey = "", part = ""] = folder.split("/");
    const app = decodeName("a", appKey);
    const stage = decodeName("s", stageKey);
    if (app === null || stage === null || !STAGE_PARTS.has(part)) continue;
    stages.set(`${appKey}/${stageKey}`, { app, stage });
  }
  const entries = [...stages.values()].map(({ app, stage }) => ({
    app,
    stage,
    hasSnapshots: newest.has(stageFolder(app, stage, "snap")),
    head: newest.get(stageFolder(app, stage, "log")) ?? null,
    secrets: {
      stage: serialIn(newest, secretsPrefix(app, stage)),
      fallback: serialIn(newest, secretsPrefix(app, null)),
    },
  }));
  return entries.sort((a, b) => compare(a.app, b.app) || compare(a.stage, b.stage));
}

async function summarize(store: Store, entry: StageEntry): Promise<StageSummary> {
  const { app, stage, head } = entry;
  try {
    if (head === null) return await summarizeHeadless(store, entry);
    const end = await endIn(store, head);
    if (end === null) return await summarizeOpen(store, entry);
    const { at: updatedAt, resources, retained } = end;
    const status = statusOf(end);
    const staleSecrets = status !== "removed" && isStale(end, entry);
    return { app, stage, status, updatedAt, resources, retained, staleSecrets };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { ...unknownParts(entry), status: "corrupt", problem: error.message };
  }
}

/** Only secrets, or snapshots whose log is gone; the reader tells which. */
async function summarizeHeadless(store: Store, entry: StageEntry): Promise<StageSummary> {
  if (entry.hasSnapshots) await readStage(stagePlace(store, entry.app, entry.stage));
  return { ...unknownParts(entry), status: "not deployed" };
}

/** The newest frame ends no epoch, or is torn: only reading the whole stage tells more. */
async function summarizeOpen(store: Store, entry: StageEntry): Promise<StageSummary> {
  const { app, stage } = entry;
  const { snapshot, head } = await readStage(stagePlace(store, app, stage));
  const retained = snapshot.resources.filter(({ status }) => status === "retained").length;
  const resources = snapshot.resources.length - retained;
  const status = head.holder === null ? "failed" : "open";
  const { updatedAt } = snapshot;
  return { app, stage, status, updatedAt, resources, retained, staleSecrets: false };
}

async function endIn(store: Store, head: string): Promise<EpochEnd | null> {
  const bytes = await store.get(head);
  const reading = bytes === null ? null : readFrame(bytes, slotOf(head) ?? 0);
  const last = reading?.kind === "whole" ? reading.frame.records.at(-1) : undefined;
  return last?.kind === "epoch-end" ? last : null;
}

function statusOf(end: EpochEnd): "deployed" | "failed" | "retained" | "removed" {
  if (end.status !== "done") return "failed";
  if (end.resources > 0) return "deployed";
  if (end.retained > 0) return "retained";
  // An app may well have outputs and no resources.
  return (end.secrets ?? null) === null ? "removed" : "deployed";
}

function isStale(end: EpochEnd, { secrets }: StageEntry): boolean {
  const used = end.secrets ?? { stage: 0, fallback: 0 };
  return used.stage !== secrets.stage || used.fallback !== secrets.fallback;
}

function unknownParts({ app, stage }: StageEntry): Omit<StageSummary, "status"> {
  return { app, stage, updatedAt: null, resources: null, retained: null, staleSecrets: false };
}

function serialIn(newest: ReadonlyMap<string, string>, folder: string): number {
  const key = newest.get(folder);
  return key === undefined ? 0 : (slotOf(key) ?? 0);
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
