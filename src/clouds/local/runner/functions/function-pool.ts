import { randomUUID } from "node:crypto";
import type { Worker } from "node:worker_threads";
import type { StageLog } from "../logs/stage-log.ts";
import type { FunctionRuntime } from "../protocol.ts";
import { type Instance, type Outcome, startInstance } from "./instance.ts";

/** What came of a request to a function. `throttled`: no instance could take it. */
export type InvocationResult = Outcome | { readonly kind: "throttled" };

/** One event on its way to an instance. */
export interface Invocation {
  readonly requestId: string;
  /** JSON text. */
  readonly event: string;
  /** The caller has gone: not started if it has not been yet. */
  readonly isAbandoned: () => boolean;
  readonly finish: (result: InvocationResult) => void;
}

export interface PoolOptions {
  /** Starts a thread for an instance, or has one ready. */
  readonly thread: (runtime: FunctionRuntime) => Worker;
  readonly log: StageLog;
  /** Asks for the right to one more instance in the stage. */
  readonly reserve: () => boolean;
  readonly release: () => void;
}

/** The instances of one version of one function. */
export interface FunctionPool {
  readonly runtime: FunctionRuntime;
  submit(invocation: Invocation): void;
  /** Starts an instance ahead of the next event. */
  prewarm(): void;
  instanceCount(): number;
  isBusy(): boolean;
  /** When the instance that has been idle longest became so, as `performance.now()`; null when none is idle. */
  idleSinceMs(): number | null;
  stopLongestIdle(): void;
  /** Takes no more events, ends idle instances now and busy ones after their event; gives back what waits. */
  retire(): readonly Invocation[];
  /** Ends everything at once. */
  stop(): void;
}

/** Instances of one function when it sets no concurrency of its own; further events wait. */
const INSTANCES_MAX = 50;

/** Events that may wait for an instance; more are throttled. */
const WAITING_MAX = 1_000;

/** So many instances start at once; two keep up with the gateway, which one does not. */
const EAGER_INSTANCES = 2;

/** Beyond those, another instance starts only for an event that waited this long: fast handlers free one sooner. */
const PATIENCE_MS = 10;

interface Member {
  readonly instance: Instance;
  state: "starting" | "idle" | "busy";
  idleSinceMs: number;
  invocations: number;
  /** Of the last event, which late output belongs to. */
  requestId: string;
}

interface Waiting {
  readonly invocation: Invocation;
  readonly sinceMs: number;
}

export function createFunctionPool(runtime: FunctionRuntime, options: PoolOptions): FunctionPool {
  const { log } = options;
  const members = new Set<Member>();
  /** The most recently used last, so that the others can fall idle. */
  const idle: Member[] = [];
  let waiting: Waiting[] = [];
  let isRetired = false;
  let patience: NodeJS.Timeout | null = null;

  const write = (level: Parameters<StageLog["write"]>[1]["level"], id: string, text: string) =>
    log.write(Date.now(), { function: runtime.name, requestId: id, level, message: text });

  const dispatch = () => {
    while (waiting.length > 0) {
      const next = waiting[0];
      if (next?.invocation.isAbandoned()) {
        waiting.shift();
        next.invocation.finish({ kind: "throttled" });
        continue;
      }
      const member = idle.pop();
      if (member === undefined || next === undefined) break;
      waiting.shift();
      void run(member, next.invocation);
    }
    grow();
  };

  const run = async (member: Member, invocation: Invocation) => {
    const { requestId } = invocation;
    member.state = "busy";
    member.requestId = requestId;
    member.invocations += 1;
    const initMs = member.invocations === 1 ? member.instance.initMs() : null;
    write("platform", requestId, `START RequestId: ${requestId} Version: $LATEST`);
    const startMs = performance.now();
    const outcome = await member.instance.invoke(invocation.event, requestId, runtime.timeoutMs);
    const durationMs = performance.now() - startMs;
    if (outcome.kind === "failed") write("error", requestId, outcome.problem);
    write("platform", requestId, `END RequestId: ${requestId}`);
    write("platform", requestId, reportLine(requestId, durationMs, runtime.memoryMb, initMs));
    if (members.has(member)) release(member);
    invocation.finish(outcome);
  };

  const release = (member: Member) => {
    if (isRetired) return member.instance.stop();
    member.state = "idle";
    member.idleSinceMs = performance.now();
    idle.push(member);
    dispatch();
  };

  const grow = () => {
    const starting = countOf(members, "starting");
    const limit = Math.min(runtime.concurrency ?? INSTANCES_MAX, INSTANCES_MAX);
    if (waiting.length <= starting || members.size >= limit) return;
    const oldest = waiting[0];
    const waitedMs = oldest === undefined ? 0 : performance.now() - oldest.sinceMs;
    if (members.size >= EAGER_INSTANCES && waitedMs < PATIENCE_MS) return growLater();
    if (start()) grow();
    else growLater();
  };

  const growLater = () => {
    if (patience !== null) return;
    patience = setTimeout(() => {
      patience = null;
      if (waiting.length > 0) dispatch();
    }, PATIENCE_MS);
  };

  const start = (): boolean => {
    if (!options.reserve()) return false;
    const instance = startInstance({
      runtime,
      worker: options.thread(runtime),
      onReady: () => release(member),
      onEnd: (problem) => ended(member, problem),
      onLog: (level, message, timeMs) =>
        log.write(timeMs, {
          function: runtime.name,
          requestId: member.requestId,
          level,
          message,
        }),
    });
    const member: Member = {
      instance,
      state: "starting",
      idleSinceMs: 0,
      invocations: 0,
      requestId: "",
    };
    members.add(member);
    return true;
  };

  const ended = (member: Member, problem: string | null) => {
    members.delete(member);
    const at = idle.indexOf(member);
    if (at >= 0) idle.splice(at, 1);
    options.release();
    if (problem !== null && member.state === "starting") failInit(problem);
    if (problem !== null && member.state === "idle") write("error", member.requestId, problem);
    if (!isRetired) dispatch();
  };

  /** An event that waits gets the failure of the instance that was started for it, as on AWS. */
  const failInit = (problem: string) => {
    const first = waiting.shift();
    write("error", first?.invocation.requestId ?? "", problem);
    first?.invocation.finish({ kind: "failed", problem });
  };

  const isFull = (): boolean => {
    const busy = countOf(members, "busy");
    if (runtime.concurrency !== null) return busy + waiting.length >= runtime.concurrency;
    return waiting.length >= WAITING_MAX;
  };

  return {
    runtime,
    submit(invocation) {
      if (isFull()) return invocation.finish({ kind: "throttled" });
      waiting.push({ invocation, sinceMs: performance.now() });
      dispatch();
    },
    prewarm() {
      if (runtime.concurrency !== 0) start();
    },
    instanceCount: () => members.size,
    isBusy: () => waiting.length > 0 || countOf(members, "busy") > 0,
    idleSinceMs: () => idle[0]?.idleSinceMs ?? null,
    stopLongestIdle: () => idle.shift()?.instance.stop(),
    retire() {
      isRetired = true;
      if (patience !== null) clearTimeout(patience);
      const left = waiting.map((entry) => entry.invocation);
      waiting = [];
      for (const member of members) if (member.state !== "busy") member.instance.stop();
      return left;
    },
    stop() {
      isRetired = true;
      for (const member of members) member.instance.stop();
    },
  };
}

/** A fresh id for an invocation, as Lambda makes them. */
export function newRequestId(): string {
  return randomUUID();
}

function countOf(members: ReadonlySet<Member>, state: Member["state"]): number {
  let count = 0;
  for (const member of members) if (member.state === state) count += 1;
  return count;
}

function reportLine(
  requestId: string,
  durationMs: number,
  memoryMb: number,
  initMs: number | null,
): string {
  const init = initMs === null ? "" : `\tInit Duration: ${initMs.toFixed(2)} ms`;
  return (
    `REPORT RequestId: ${requestId}\tDuration: ${durationMs.toFixed(2)} ms` +
    `\tBilled Duration: ${Math.ceil(durationMs)} ms\tMemory Size: ${memoryMb} MB${init}`
  );
}
