import type { LogRecord } from "../../model/record.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Intent, Snapshot, StageFacts } from "../../model/snapshot.ts";
import type { Urn } from "../../model/urn.ts";

/**
 * A stage's state while records are applied to it, in constant time each. A snapshot is made only when asked for, and
 * records that touch no resource leave the resources of the base untouched, unparsed and unsorted.
 */
export class Replay {
  readonly #app: string;
  readonly #stage: string;
  #lineage: string;
  #facts: StageFacts | null;
  #updatedAt: string | null;
  #serial: number;
  #resources: Map<string, ResourceState> | null = null;
  #intents: Map<string, Intent> | null = null;
  #latest: Snapshot | null;
  #sortedResources: readonly ResourceState[] | null;
  #listedIntents: readonly Intent[] | null;

  constructor(base: Snapshot) {
    this.#app = base.app;
    this.#stage = base.stage;
    this.#lineage = base.lineage;
    this.#facts = base.facts;
    this.#updatedAt = base.updatedAt;
    this.#serial = base.serial;
    this.#latest = base;
    this.#sortedResources = base.resources;
    this.#listedIntents = base.openIntents;
  }

  /**
   * Applies the records of the frame in `slot`.
   *
   * @throws Error when an outcome closes no open intent or an intent is begun twice: no writer of ours does that
   */
  apply(slot: number, records: readonly LogRecord[]): void {
    for (const record of records) this.#applyRecord(record);
    this.#serial = slot;
    this.#latest = null;
  }

  snapshot(): Snapshot {
    this.#latest ??= {
      format: 1,
      app: this.#app,
      stage: this.#stage,
      lineage: this.#lineage,
      serial: this.#serial,
      facts: this.#facts,
      resources: this.#sorted(),
      openIntents: this.#open(),
      updatedAt: this.#updatedAt,
    };
    return this.#latest;
  }

  #applyRecord(record: LogRecord): void {
    switch (record.kind) {
      case "epoch-start":
        this.#lineage = record.lineage;
        return;
      case "beat":
        return;
      case "facts":
        this.#facts = record.facts;
        return;
      case "intent":
        this.#begin(record.intent);
        return;
      case "outcome":
        this.#close(record.intent, record.state);
        return;
      case "resource":
        this.#put(record.state);
        return;
      case "forget":
        this.#drop(record.urn, record.generation);
        return;
      case "epoch-end":
        this.#updatedAt = record.at;
        return;
    }
  }

  #begin(intent: Intent): void {
    const open = this.#openIntents();
    if (open.has(intent.id)) throw new Error(`intent ${intent.id} is begun twice`);
    open.set(intent.id, intent);
    this.#listedIntents = null;
  }

  #close(id: string, state: ResourceState | null | undefined): void {
    const open = this.#openIntents();
    const intent = open.get(id);
    if (intent === undefined) throw new Error(`outcome of ${id}, which is not open`);
    open.delete(id);
    this.#listedIntents = null;
    if (state === null) this.#drop(intent.urn, intent.generation);
    else if (state !== undefined) this.#put(state);
  }

  #put(state: ResourceState): void {
    this.#records().set(recordKey(state.urn, state.generation), state);
    this.#sortedResources = null;
  }

  #drop(urn: Urn, generation: number): void {
    if (this.#records().delete(recordKey(urn, generation))) this.#sortedResources = null;
  }

  #records(): Map<string, ResourceState> {
    this.#resources ??= new Map(
      this.#sorted().map((state) => [recordKey(state.urn, state.generation), state]),
    );
    return this.#resources;
  }

  #openIntents(): Map<string, Intent> {
    this.#intents ??= new Map(this.#open().map((intent) => [intent.id, intent]));
    return this.#intents;
  }

  #sorted(): readonly ResourceState[] {
    this.#sortedResources ??= [...(this.#resources?.values() ?? [])].sort(byUrnAndGeneration);
    return this.#sortedResources;
  }

  #open(): readonly Intent[] {
    this.#listedIntents ??= [...(this.#intents?.values() ?? [])];
    return this.#listedIntents;
  }
}

/** State after all records of `frames`, which follow `base` in order. Pure. */
export function replay(
  base: Snapshot,
  frames: readonly { readonly slot: number; readonly records: readonly LogRecord[] }[],
): Snapshot {
  const state = new Replay(base);
  for (const frame of frames) state.apply(frame.slot, frame.records);
  return state.snapshot();
}

function recordKey(urn: Urn, generation: number): string {
  return `${generation} ${urn}`;
}

function byUrnAndGeneration(left: ResourceState, right: ResourceState): number {
  if (left.urn !== right.urn) return left.urn < right.urn ? -1 : 1;
  return left.generation - right.generation;
}
