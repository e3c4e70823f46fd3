import { type Diagnostic, DiagnosticError } from "../model/diagnostic.ts";
import type { LogRecord } from "../model/record.ts";
import type { ResourceState } from "../model/resource.ts";
import type { Intent, Snapshot } from "../model/snapshot.ts";
import type { Urn } from "../model/urn.ts";
import { foreign } from "./apply/drive.ts";
import { each } from "./apply/each.ts";
import { type Observed, observe } from "./apply/observe.ts";
import { newRun, type Run, type RunEnvironment, record, timestamp, workFor } from "./apply/run.ts";
import type { Work } from "./apply/work.ts";
import { interruptedInputs, knownInputs } from "./interrupted-inputs.ts";

/** What settling found, by urn. */
export interface Settled {
  /** There, and ours: recorded as interrupted, so that the next plan brings it up to date. */
  readonly live: readonly Urn[];
  /** A create that never happened. */
  readonly void: readonly Urn[];
  /** A delete that happened, or a resource that something else deleted. */
  readonly gone: readonly Urn[];
  /** Someone else's resource has our name. Nothing of ours is there; a plan that needs the name will fail on it. */
  readonly foreign: readonly Diagnostic[];
  /** Could not be looked at; the intent stays open. Only of a run that goes on past failures, else it is thrown. */
  readonly unread: readonly Diagnostic[];
}

type Verdict = Exclude<keyof Settled, "unread">;

/** How one intent is closed. */
interface Closing {
  readonly verdict: Verdict;
  readonly records: readonly LogRecord[];
}

/**
 * Closes the intents that earlier epochs left open, by looking at each resource and recording what is there. The first
 * thing of an epoch. Only reads; what is missing is made by the plan that follows.
 *
 * @throws DiagnosticError `RESOURCE_UNREADABLE` and the like (exit 1), for all that could not be looked at, unless the
 * run goes on past failures; what could be has been recorded. Whatever the journal rejects with.
 */
export async function settle(environment: RunEnvironment): Promise<Settled> {
  const snapshot = environment.epoch.snapshot();
  const settled: Record<"live" | "void" | "gone", Urn[]> = { live: [], void: [], gone: [] };
  const foreigners: Diagnostic[] = [];
  const unread: Diagnostic[] = [];
  if (snapshot.openIntents.length === 0) return { ...settled, foreign: [], unread };
  const run = newRun(environment);
  for (const { urn, outputs, status } of snapshot.resources) {
    if (status !== "deposed") run.outputs.set(urn, outputs);
  }
  await each(snapshot.openIntents, run.world.limits.concurrency, async (intent) => {
    const prior = recordOf(snapshot, intent);
    const work = workFor(run, prior ?? intent, intent.dependsOn);
    const observed = await lookAt(work, prior);
    if (observed.kind === "unreadable") {
      unread.push(observed.diagnostic);
      return;
    }
    const closing = closingOf(run, snapshot, intent, observed);
    await record(run, closing.records);
    run.emit({ kind: "settled", urn: intent.urn, result: closing.verdict });
    if (observed.kind === "foreign") foreigners.push(foreign(work, observed.owner));
    else if (closing.verdict !== "foreign") settled[closing.verdict].push(intent.urn);
  });
  const [first, ...more] = unread;
  if (first !== undefined && environment.pastFailures !== true) {
    throw new DiagnosticError(first, ...more);
  }
  for (const diagnostic of unread) run.emit({ kind: "diagnostic", diagnostic });
  return { ...settled, foreign: foreigners, unread };
}

function recordOf(snapshot: Snapshot, intent: Intent): ResourceState | null {
  const { urn, generation } = intent;
  return (
    snapshot.resources.find((state) => state.urn === urn && state.generation === generation) ?? null
  );
}

/**
 * The window is waited for in full, by the monotonic clock: the time of the intent was told by another machine's. For
 * deletes too: what is to be deleted may have been made a moment before.
 */
function lookAt(work: Work, prior: ResourceState | null): Promise<Observed> {
  const windowMs = work.handler.consistencyWindowMs;
  return observe(work, { id: prior?.id ?? null, until: "there", windowMs });
}

function closingOf(
  run: Run,
  snapshot: Snapshot,
  intent: Intent,
  observed: Exclude<Observed, { readonly kind: "unreadable" }>,
): Closing {
  const prior = recordOf(snapshot, intent);
  const asBefore: LogRecord = { kind: "outcome", intent: intent.id };
  switch (observed.kind) {
    case "absent": {
      const verdict = intent.operation === "create" ? "void" : "gone";
      return { verdict, records: [{ ...asBefore, state: null }] };
    }
    case "foreign":
      return { verdict: "foreign", records: [asBefore] };
    case "broken":
      if (prior !== null) return { verdict: "live", records: [asBefore] };
      return { verdict: "live", records: [halfMade(run, snapshot, intent, observed.id)] };
    case "found":
      if (intent.operation === "delete") return { verdict: "live", records: [asBefore] };
      if (prior !== null) {
        // It may use what it used before or what it was to use, so nothing of either may be deleted before it.
        // What only the create call tells is not in the answer to a read.
        const outputs = { ...prior.outputs, ...observed.outputs };
        const inputs = inputsAfter(prior, intent);
        const dependsOn = [...new Set([...prior.dependsOn, ...intent.dependsOn])].sort();
        const state = { ...prior, inputs, outputs, dependsOn, updatedAt: timestamp(run) };
        return { verdict: "live", records: [{ ...asBefore, state }] };
      }
      return { verdict: "live", records: madeRecords(run, snapshot, intent, observed) };
  }
}

/** A create that worked without our hearing of it. */
function madeRecords(
  run: Run,
  snapshot: Snapshot,
  intent: Intent,
  found: Observed & { readonly kind: "found" },
): readonly LogRecord[] {
  if (workFor(run, intent).handler.recovery === "secret-once") {
    return [halfMade(run, snapshot, intent, found.id)];
  }
  const state = stateOf(run, intent, found.id);
  const old = currentOf(snapshot, intent.urn);
  const outcome: LogRecord = {
    kind: "outcome",
    intent: intent.id,
    state: {
      ...state,
      status: "live",
      inputs: interruptedInputs(null, intent.inputsHash),
      outputs: found.outputs,
    },
  };
  if (old === undefined) return [outcome];
  const deposed: ResourceState = { ...old, status: "deposed", updatedAt: state.updatedAt };
  return [{ kind: "resource", state: deposed }, outcome];
}

/** An update may have happened or not. What a create was to set is known by its hash, and stays so. */
function inputsAfter(prior: ResourceState, intent: Intent): ResourceState["inputs"] {
  if (knownInputs(prior.inputs).known === null) return prior.inputs;
  return interruptedInputs(prior.inputs, intent.inputsHash);
}

/** A thing of ours that can never be used: deleted by the next plan, and made anew where it is still wanted. */
function halfMade(run: Run, snapshot: Snapshot, intent: Intent, id: string): LogRecord {
  const status = currentOf(snapshot, intent.urn) === undefined ? "tainted" : "deposed";
  const state: ResourceState = { ...stateOf(run, intent, id), status, outputs: {} };
  return { kind: "outcome", intent: intent.id, state };
}

function currentOf(snapshot: Snapshot, urn: Urn): ResourceState | undefined {
  return snapshot.resources.find((state) => state.urn === urn && state.status !== "deposed");
}

function stateOf(run: Run, intent: Intent, id: string): Omit<ResourceState, "status" | "outputs"> {
  const { urn, type, name, component, generation, physicalName, dependsOn } = intent;
  return {
    ...{ urn, type, name, component, generation, physicalName, dependsOn },
    id: id === "" ? physicalName : id,
    inputs: null,
    createdAt: intent.at,
    updatedAt: timestamp(run),
  };
}
