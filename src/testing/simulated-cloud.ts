import type { HandlerContext, HandlerResult, OwnershipTags } from "../engine/handler.ts";
import { type Json, type JsonObject, jsonEquals } from "../model/json.ts";
import type { SimulatedTime } from "./simulated-clock.ts";
import type { SimulatedType } from "./simulated-types.ts";

/** One thing that exists in the simulated cloud. */
export interface Thing {
  readonly id: string;
  readonly type: SimulatedType;
  readonly tags: OwnershipTags;
  readonly token: string;
  readonly spec: JsonObject;
  readonly secret: string;
  readonly visibleAtMs: number;
  readonly readyAtMs: number;
  /** Null unless it is being deleted. */
  readonly goneAtMs: number | null;
  /** What people put into it. */
  readonly contents: readonly string[];
}

type ReadResult = HandlerResult & { readonly inputs?: Json };

/** A cloud in memory that remembers every rule which was broken in it. */
export class SimulatedCloud {
  readonly violations: string[] = [];
  /** Calls that changed, or could have changed, something. */
  mutations = 0;
  /** Things that must not be deleted, whatever is asked. */
  isKept: (thing: Thing) => boolean = () => false;
  readonly #time: SimulatedTime;
  readonly #things = new Map<string, Thing>();
  #made = 0;

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  /** What exists by now. */
  get things(): readonly Thing[] {
    this.#sweep();
    return [...this.#things.values()];
  }

  /** An equal cloud that goes its own way from here. */
  clone(time: SimulatedTime): SimulatedCloud {
    const copy = new SimulatedCloud(time);
    for (const [id, thing] of this.#things) copy.#things.set(id, thing);
    copy.#made = this.#made;
    return copy;
  }

  /** Puts something there by hand, or changes it. */
  place(thing: Thing): void {
    this.#things.set(thing.id, thing);
  }

  /** Takes something away by hand. */
  vanish(id: string): void {
    this.#things.delete(id);
  }

  find(urn: string): readonly Thing[] {
    return this.things.filter((thing) => thing.tags["scrim:urn"] === urn);
  }

  read(type: SimulatedType, context: HandlerContext, id: string | null): ReadResult {
    const thing = this.#locate(type, context, id);
    if (thing === undefined || this.#time.nowMs < thing.visibleAtMs) return { kind: "gone" };
    if (!isOurs(thing, context)) return foreign(thing);
    const waitMs = Math.max(thing.readyAtMs, thing.goneAtMs ?? 0) - this.#time.nowMs;
    if (waitMs > 0) {
      return { kind: "pending", id: thing.id, afterMs: waitMs, reason: "in transition" };
    }
    const { secret: _, ...inputs } = thing.spec;
    const { secret: __, ...outputs } = outputsOf(thing);
    return { kind: "done", id: thing.id, outputs, inputs };
  }

  create(type: SimulatedType, context: HandlerContext, spec: JsonObject): HandlerResult {
    this.mutations += 1;
    const present = isServerNamed(type) ? undefined : this.#locate(type, context, null);
    if (present !== undefined) return this.#createAgain(present, context, spec);
    this.#checkUses(context, spec, "created");
    this.#made += 1;
    const nowMs = this.#time.nowMs;
    const thing: Thing = {
      id: type.recovery === "unique-name" ? context.physicalName : this.#newId(type, context),
      type,
      tags: context.tags,
      token: context.token,
      spec,
      secret: `once-${this.#made}`,
      visibleAtMs: nowMs + type.hiddenMs,
      readyAtMs: nowMs + type.pendingMs,
      goneAtMs: null,
      contents: [],
    };
    this.#things.set(thing.id, thing);
    this.#checkTwins(thing);
    return answerFor(thing, nowMs);
  }

  update(context: HandlerContext, id: string, spec: JsonObject): HandlerResult {
    this.mutations += 1;
    this.#sweep();
    const thing = this.#visible(id);
    if (thing === undefined) return { kind: "gone" };
    if (!isOurs(thing, context)) return foreign(thing);
    if (thing.goneAtMs !== null) return { kind: "retry", reason: "being deleted", afterMs: 500 };
    if (!jsonEquals(thing.spec["kind"], spec["kind"])) {
      this.violations.push(`the kind of ${id} was changed in place`);
    }
    this.#checkUses(context, spec, "updated");
    const nowMs = this.#time.nowMs;
    const next = { ...thing, spec, readyAtMs: nowMs + thing.type.pendingMs };
    this.#things.set(id, next);
    return answerFor(next, nowMs);
  }

  delete(context: HandlerContext, id: string): HandlerResult {
    this.mutations += 1;
    this.#sweep();
    const thing = this.#visible(id);
    if (thing === undefined) return { kind: "gone" };
    if (!isOurs(thing, context)) return foreign(thing);
    const user = this.things.find((other) => usesOf(other.spec).includes(id));
    if (user !== undefined) {
      this.violations.push(`${id} was to be deleted while ${user.id} uses it`);
      return { kind: "retry", reason: `in use by ${user.id}`, afterMs: 500 };
    }
    if (this.isKept(thing)) this.violations.push(`${id} was deleted although it is to be kept`);
    const { deletingMs } = thing.type;
    if (deletingMs === 0) {
      this.#things.delete(id);
      return { kind: "done", id, outputs: {} };
    }
    const goneAtMs = thing.goneAtMs ?? this.#time.nowMs + deletingMs;
    this.#things.set(id, { ...thing, goneAtMs });
    return { kind: "pending", id, afterMs: 1_000, reason: "being deleted" };
  }

  /** What exists under our name answers a create by its own rules, never by a second thing. */
  #createAgain(present: Thing, context: HandlerContext, spec: JsonObject): HandlerResult {
    if (!isOurs(present, context)) return foreign(present);
    if (present.goneAtMs !== null) {
      return { kind: "retry", reason: "the name is not free yet", afterMs: 500 };
    }
    this.mutations -= 1;
    return this.update(context, present.id, spec);
  }

  #newId(type: SimulatedType, context: HandlerContext): string {
    if (type.recovery === "idempotent") return context.physicalName;
    return `${type.type.slice(4)}-${this.#made}`;
  }

  #locate(type: SimulatedType, context: HandlerContext, id: string | null): Thing | undefined {
    this.#sweep();
    if (id !== null) return this.#things.get(id);
    if (type.recovery === "token") return this.things.find((one) => one.token === context.token);
    if (!isServerNamed(type)) return this.#things.get(context.physicalName);
    return this.things.find((one) => one.visibleAtMs <= this.#time.nowMs && isOurs(one, context));
  }

  /** Calls by id lag behind a create as reads do. */
  #visible(id: string): Thing | undefined {
    const thing = this.#things.get(id);
    return thing !== undefined && thing.visibleAtMs <= this.#time.nowMs ? thing : undefined;
  }

  #checkUses(context: HandlerContext, spec: JsonObject, what: string): void {
    for (const id of usesOf(spec)) {
      const used = this.#things.get(id);
      if (used !== undefined && used.readyAtMs <= this.#time.nowMs) continue;
      this.violations.push(`${context.urn} was ${what} before ${id} was ready`);
    }
  }

  #checkTwins(made: Thing): void {
    const twins = this.things.filter((other) => jsonEquals({ ...other.tags }, { ...made.tags }));
    if (twins.length > 1) this.violations.push(`${made.tags["scrim:urn"]} was made twice`);
  }

  #sweep(): void {
    for (const [id, thing] of this.#things) {
      if (thing.goneAtMs !== null && thing.goneAtMs <= this.#time.nowMs) this.#things.delete(id);
    }
  }
}

function isServerNamed(type: SimulatedType): boolean {
  return type.recovery === "server-named" || type.recovery === "secret-once";
}

function isOurs(thing: Thing, context: HandlerContext): boolean {
  return jsonEquals({ ...thing.tags }, { ...context.tags });
}

function foreign(thing: Thing): HandlerResult {
  const { "scrim:app": app, "scrim:stage": stage } = thing.tags;
  return { kind: "foreign", owner: `${app}/${stage}` };
}

function answerFor(thing: Thing, nowMs: number): HandlerResult {
  const waitMs = thing.readyAtMs - nowMs;
  if (waitMs > 0)
    return { kind: "pending", id: thing.id, afterMs: waitMs, reason: "in the making" };
  return { kind: "done", id: thing.id, outputs: outputsOf(thing) };
}

function outputsOf(thing: Thing): JsonObject {
  const { id, type, spec, secret } = thing;
  return {
    id,
    arn: `arn:${id}`,
    etag: `${id}@${JSON.stringify(spec["size"] ?? 0)}`,
    ...(type.recovery === "secret-once" ? { secret } : {}),
  };
}

function usesOf(spec: JsonObject): readonly string[] {
  const uses = spec["uses"];
  return Array.isArray(uses) ? uses.filter((id: Json) => typeof id === "string") : [];
}
