import type { PutResource, ResourceAnswer } from "../../control-api.ts";
import { Refusal } from "../control/refusal.ts";
import { type ResourceRecord, recordKey } from "../registry/record.ts";
import { createBatchQueue, type Queued } from "./batch-queue.ts";
import { type CodeStore, createCodeStore } from "./code-store.ts";
import { isData } from "./decide-put.ts";
import type { StageDependencies } from "./stage-dependencies.ts";
import { openStageRecords, type ResourceName, type StageRecords } from "./stage-records.ts";
import { createStageServing, type StageServing } from "./stage-serving.ts";

/** The resources of one stage: what is recorded, and what is made of it. */
export interface StageResources {
  readonly app: string;
  readonly stage: string;
  readonly code: CodeStore;
  /**
   * Resolves when the change is durable and new requests see it; changes that arrive together are
   * made together.
   */
  put(key: ResourceName, request: PutResource): Promise<ResourceAnswer>;
  /** No error when there is none. */
  delete(key: ResourceName): Promise<void>;
  get(key: ResourceName): Promise<ResourceAnswer | null>;
  has(key: ResourceName): boolean;
  /** Whether a resource of this type has this output. */
  hasOutput(type: string, output: string, value: string): boolean;
  list(): readonly ResourceAnswer[];
  /**
   * Finishes what a crash interrupted, serves what is recorded, and tries again what could not be
   * served.
   */
  wake(): Promise<void>;
  /** Records that exist, readable or not. */
  count(): number;
  /** What is wrong with the stage, in sentences for people. */
  problems(): readonly string[];
  /** Drops unpacked code that is no longer used. */
  sweep(): Promise<void>;
  /** Waits for changes under way; nothing may be started after it. */
  settle(): Promise<void>;
}

type Change =
  | { readonly kind: "put"; readonly key: ResourceName; readonly request: PutResource }
  | { readonly kind: "delete"; readonly key: ResourceName }
  | { readonly kind: "wake" };

/** Opens a stage; {@link StageResources.wake} makes it answer. */
export async function openStageResources(deps: StageDependencies): Promise<StageResources> {
  const code = createCodeStore(deps.folders.code);
  const records = await openStageRecords(deps, code);
  const serving = createStageServing(deps, code);
  const queue = createBatchQueue<Change>(
    (change) => (change.kind === "wake" ? "wake" : recordKey(change.key)),
    (batch) => runBatch(batch, records, serving),
  );
  return {
    app: deps.app,
    stage: deps.stage,
    code,
    put: async (key, request) => {
      await queue.add({ kind: "put", key, request });
      const found = records.get(key);
      if (found !== null) return answerOf(found, serving);
      throw new Refusal(409, "LOCAL_RESOURCE_GONE", `${key.name} was deleted meanwhile`);
    },
    delete: (key) => queue.add({ kind: "delete", key }),
    get: (key) => readResource(key, records, serving),
    has: (key) => records.get(key) !== null,
    hasOutput: (type, output, value) =>
      records.all().some((record) => record.type === type && record.outputs[output] === value),
    list: () => records.all().map((record) => answerOf(record, serving)),
    wake: () => queue.add({ kind: "wake" }),
    count: () => records.all().length + records.unreadable().length,
    problems: () => problemsOf(records, serving),
    sweep: () => code.sweep(usedCode(records), deps.clock.monotonicMs()),
    settle: () => queue.settle(),
  };
}

async function runBatch(
  batch: readonly Queued<Change>[],
  records: StageRecords,
  serving: StageServing,
): Promise<void> {
  if (batch.some(({ work }) => work.kind === "wake")) await records.finishAll();
  const results = await Promise.allSettled(batch.map(({ work }) => recordChange(work, records)));
  const recorded = batch.filter((queued, index) => {
    const result = results[index];
    if (result?.status === "rejected") queued.failed(result.reason);
    return result?.status === "fulfilled";
  });
  if (recorded.length === 0) return;
  try {
    const again = recorded.some(({ work }) => work.kind === "wake");
    await serving.serve(records.all(), again);
    const puts = recorded.flatMap(({ work }) => (work.kind === "put" ? [work.key] : []));
    await moveTakenPorts(puts, records, serving);
    for (const { done } of recorded) done();
  } catch (error) {
    for (const { failed } of recorded) failed(error);
  }
}

async function recordChange(change: Change, records: StageRecords): Promise<void> {
  switch (change.kind) {
    case "put":
      return records.put(change.key, change.request);
    case "delete":
      return records.delete(change.key);
    case "wake":
      return;
  }
}

/** How often another port is tried when programs take the ones that were just found free. */
const PORT_TRIES_MAX = 5;

/** Only an API that was just put is given another port: never silently. */
async function moveTakenPorts(
  puts: readonly ResourceName[],
  records: StageRecords,
  serving: StageServing,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const taken = puts
      .flatMap((key) => records.get(key) ?? [])
      .filter((record) => serving.portProblemOf(record) !== null);
    if (taken.length === 0) return;
    if (tries === PORT_TRIES_MAX) throw portsTaken(taken);
    for (const record of taken) await records.movePort(record);
    await serving.serve(records.all(), true);
  }
}

async function readResource(
  key: ResourceName,
  records: StageRecords,
  serving: StageServing,
): Promise<ResourceAnswer | null> {
  const found = records.get(key);
  if (found === null || found.status === "deleting") return null;
  if (isData(key.type) && found.status === "ready") {
    const names = await (await records.instance(key.type)).names(key.type);
    if (!names.includes(key.name)) return null;
  }
  return answerOf(found, serving);
}

function answerOf(record: ResourceRecord, serving: StageServing): ResourceAnswer {
  const { type, name, outputs, tags, spec } = record;
  const problem = serving.problemOf(record);
  const answer = { type, name, id: name, outputs, tags, spec };
  return problem === null ? answer : { ...answer, problem };
}

function problemsOf(records: StageRecords, serving: StageServing): readonly string[] {
  const damaged = records.unreadable().map((file) => `registry/${file} is damaged`);
  const broken = records.all().flatMap((record) => {
    const problem = serving.problemOf(record);
    return problem === null ? [] : [`${record.name}: ${problem}`];
  });
  return [...damaged, ...broken];
}

function usedCode(records: StageRecords): ReadonlySet<string> {
  const hashes = records.all().map(({ spec }) => spec["bundle"]);
  return new Set(hashes.filter((hash) => typeof hash === "string"));
}

function portsTaken(taken: readonly ResourceRecord[]): Refusal {
  const ports = taken.map(({ port }) => port).join(", ");
  return new Refusal(409, "LOCAL_PORT_TAKEN", `Other programs have taken the ports ${ports}`, {
    hint: "Deploy again.",
  });
}
