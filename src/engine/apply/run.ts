import type { Epoch, Journal } from "../../home/journal.ts";
import type { Emit } from "../../model/event.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LogRecord } from "../../model/record.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import type { Clock, Random } from "../../model/world.ts";
import type { Dependency, Handlers } from "../handler.ts";
import { handlerOf } from "../handler-of.ts";
import { type Identity, ownershipTags, type StageIdentity, tokenFor } from "../ownership.ts";
import type { Seal } from "../values/render.ts";
import { CallWatch } from "./call-watch.ts";
import { LIMITS, type Limits } from "./limits.ts";
import type { CallWorld, Work } from "./work.ts";

/** What the engine works with while it holds a stage. */
export interface RunEnvironment {
  readonly epoch: Epoch;
  readonly handlers: Handlers;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: Emit;
  /** The first Ctrl-C: nothing more is started, what is in flight is finished and recorded. */
  readonly signal: AbortSignal;
  readonly limits?: Partial<Limits>;
  /** A step is tried even when something that it waits for has failed. For removals: what is still used is refused. */
  readonly pastFailures?: boolean;
}

/** One apply, settling or refresh on its way. */
export interface Run {
  readonly world: CallWorld;
  readonly journal: Journal;
  readonly stage: StageIdentity;
  readonly handlers: Handlers;
  readonly seal: Seal;
  readonly emit: Emit;
  /** Outputs of every resource that is as its goal wants it. */
  readonly outputs: Map<Urn, JsonObject>;
  /** Resources that were made or changed in this run, so that what was planned over them is looked at again. */
  readonly changed: Set<Urn>;
  /** Resources of which an earlier run's intent is still open: nothing may be begun for them. */
  readonly unsettled: ReadonlySet<string>;
  /** The journal's refusal. Once it is set nothing more is started. */
  halted: { readonly error: unknown } | null;
  intents: number;
  /** The time that was written last. */
  written: { readonly atMs: number; readonly text: string };
}

export function newRun(environment: RunEnvironment): Run {
  const { epoch, handlers, seal, clock, random, emit, signal } = environment;
  const limits = { ...LIMITS, ...environment.limits };
  const watch = new CallWatch(clock, limits.callTimeMaxMs, epoch.signal);
  const stage = epoch.snapshot();
  return {
    world: { clock, random, limits, watch, cut: epoch.signal, stop: signal },
    journal: epoch,
    stage,
    handlers,
    seal,
    emit,
    outputs: new Map(),
    changed: new Set(),
    unsettled: new Set(stage.openIntents.map(generationKey)),
    halted: null,
    intents: 0,
    written: { atMs: Number.NaN, text: "" },
  };
}

/** One generation of one resource as a single text. */
export function generationKey({
  urn,
  generation,
}: Pick<ResourceState, "urn" | "generation">): string {
  return `${generation} ${urn}`;
}

/** Writes records; a refusal by the journal halts the run. */
export async function record(run: Run, records: readonly LogRecord[]): Promise<void> {
  try {
    await run.journal.append(records);
  } catch (error) {
    run.halted ??= { error };
    throw error;
  }
}

/** An intent's id: unique within the stage, since a plan is applied once an epoch. */
export function nextIntentId(run: Run): string {
  run.intents += 1;
  return `${run.journal.epoch}.${run.intents}`;
}

/** Now, as records keep it. Within a millisecond hundreds ask, and writing a date costs as much as a small call. */
export function timestamp(run: Run): string {
  const nowMs = run.world.clock.now();
  if (nowMs !== run.written.atMs) {
    run.written = { atMs: nowMs, text: new Date(nowMs).toISOString() };
  }
  return run.written.text;
}

type Subject = Identity & Pick<ResourceState, "type" | "component" | "physicalName">;

/**
 * What calls about a resource are made with.
 *
 * @param dependsOn what it needs, where it may have to be looked for without an id
 */
export function workFor(run: Run, subject: Subject, dependsOn: readonly Urn[] = []): Work {
  const { urn, physicalName } = subject;
  return {
    world: run.world,
    handler: handlerOf(run.handlers, subject.type),
    component: subject.component,
    about: {
      urn,
      physicalName,
      token: tokenFor(run.stage, subject),
      tags: ownershipTags(run.stage, subject),
      epoch: run.journal.epoch,
      dependencies: dependsOn.flatMap((urn) => dependency(run, urn)),
    },
    onWait: (reason, elapsedMs) => run.emit({ kind: "step-waiting", urn, reason, elapsedMs }),
  };
}

function dependency(run: Run, urn: Urn): readonly Dependency[] {
  const outputs = run.outputs.get(urn);
  return outputs === undefined ? [] : [{ urn, outputs }];
}
