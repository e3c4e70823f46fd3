import { type Diagnostic, EXIT } from "../../model/diagnostic.ts";
import type { Step } from "../../model/plan.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import { topologicalOrder } from "../graph/topological-order.ts";
import { handlerOf } from "../handler-of.ts";
import { type Draft, stepId } from "./draft.ts";
import { isGuarded, keptBecause } from "./guards.ts";

type DeleteReason = (Step & { readonly action: "delete" })["reason"];

/** What is deleted, and why. */
type Departures = ReadonlyMap<ResourceState, DeleteReason>;

/** Adds a step for everything that no goal wants: old generations and what the config dropped. */
export function planDepartures(draft: Draft): void {
  const old = [...draft.index.deposed, ...draft.replaced];
  const fates = fatesOf(draft);
  const kept = keptWith(draft, fates, old);
  const departures = new Map<ResourceState, DeleteReason>();
  for (const state of old) if (!kept.has(state)) departures.set(state, "replaced");
  const detached = new Map<ResourceState, string>();
  for (const [state, fate] of fates) {
    if (fate === "delete" && !kept.has(state)) departures.set(state, reasonOf(draft));
    else if (state.status !== "retained") detached.set(state, addDetach(draft, state));
  }
  if (departures.size > 0) addDeletes(draft, departures, detached);
}

type Fate = "delete" | "keep";

/** What becomes of each record in use or retained that has no goal. */
function fatesOf(draft: Draft): ReadonlyMap<ResourceState, Fate> {
  const { goals } = draft.request.graph;
  const fates = new Map<ResourceState, Fate>();
  for (const state of draft.index.current.values()) {
    if (!goals.has(state.urn)) fates.set(state, fateOf(draft, state));
  }
  return fates;
}

function fateOf(draft: Draft, state: ResourceState): Fate {
  const { policy, snapshot, handlers } = draft.request;
  const handler = handlerOf(handlers, state.type);
  if (state.status === "tainted") return "delete";
  if (policy.mode === "remove") {
    const isKept = policy.removal === "retain-all" || (policy.removal === "retain" && handler.data);
    return isKept ? "keep" : "delete";
  }
  if (state.status === "retained") return "keep";
  if (policy.removal === "retain-all") {
    return policy.allowDestroy.has(state.component) ? "delete" : "keep";
  }
  return isGuarded(state, handler, snapshot, policy) ? "keep" : "delete";
}

/**
 * Everything that what is kept was made with, directly or not: to delete a key or a role under a table that stays
 * could make its data unreadable. Of a dependency with several generations all are kept, as nothing tells which is used.
 */
function keptWith(
  draft: Draft,
  fates: ReadonlyMap<ResourceState, Fate>,
  old: readonly ResourceState[],
): ReadonlySet<ResourceState> {
  const kept = new Set<ResourceState>();
  for (const [state, fate] of fates) if (fate === "keep") kept.add(state);
  if (kept.size === 0) return kept;
  const oldByUrn = new Map<Urn, ResourceState[]>();
  for (const state of old) addTo(oldByUrn, state.urn, state);
  // A set may grow while it is walked; what is added is walked too.
  for (const state of kept) {
    for (const urn of state.dependsOn) {
      for (const generation of oldByUrn.get(urn) ?? []) kept.add(generation);
      const current = draft.index.current.get(urn);
      if (current !== undefined && fates.has(current)) kept.add(current);
    }
  }
  return kept;
}

function reasonOf(draft: Draft): DeleteReason {
  return draft.request.policy.mode === "remove" ? "stage-removed" : "dropped";
}

function addDetach(draft: Draft, prior: ResourceState): string {
  const { policy } = draft.request;
  const { urn, generation, physicalName } = prior;
  const id = stepId("detach", urn, generation);
  const step = { id, urn, generation, physicalName, after: [] };
  draft.steps.push({ ...step, action: "detach", prior, reason: keptBecause(policy) });
  return id;
}

/** Deletes in the order of the dependencies that the records tell, each behind whatever still uses it. */
function addDeletes(
  draft: Draft,
  departures: Departures,
  detached: ReadonlyMap<ResourceState, string>,
): void {
  const users = usersOf(draft.request.snapshot.resources);
  const usersLeaving = (state: ResourceState): readonly ResourceState[] =>
    (users.get(state.urn) ?? []).filter((user) => departures.has(user));
  const { order, blocked } = topologicalOrder([...departures.keys()].reverse(), usersLeaving);
  const left = new Map(detached);
  // Records that depend on each other go one by one; the cloud refuses what is still used, and the next run goes on.
  for (const state of [...order, ...blocked]) {
    const after = new Set<string>();
    for (const user of users.get(state.urn) ?? []) addLast(draft, left, user, after);
    const successor = draft.settledBy.get(state.urn);
    if (successor !== undefined) after.add(successor);
    const reason = departures.get(state) ?? "dropped";
    left.set(state, addDelete(draft, state, reason, [...after]));
  }
}

/** The steps after which a user no longer needs what it used: it has gone itself, or its goal is true. */
function addLast(
  draft: Draft,
  left: ReadonlyMap<ResourceState, string>,
  user: ResourceState,
  after: Set<string>,
): void {
  const leaves = left.get(user);
  if (leaves !== undefined) after.add(leaves);
  const settled = draft.settledBy.get(user.urn);
  if (settled !== undefined) after.add(settled);
}

function addDelete(
  draft: Draft,
  prior: ResourceState,
  reason: DeleteReason,
  after: readonly string[],
): string {
  const { urn, generation, physicalName } = prior;
  const id = stepId("delete", urn, generation);
  draft.steps.push({ id, urn, generation, physicalName, after, action: "delete", prior, reason });
  const { handlers, policy } = draft.request;
  if (policy.mode === "deploy" && handlerOf(handlers, prior.type).data) {
    draft.warnings.push(dataDeleted(prior, reason));
  }
  return id;
}

function dataDeleted(state: ResourceState, reason: DeleteReason): Diagnostic {
  return {
    severity: "warning",
    code: "DATA_DELETED",
    message: `${state.component} is deleted with all its data`,
    why: reason === "dropped" ? "The config no longer has it." : "It is replaced by a new one.",
    exit: EXIT.done,
  };
}

/** The records that depend on each urn. */
function usersOf(resources: readonly ResourceState[]): ReadonlyMap<Urn, readonly ResourceState[]> {
  const users = new Map<Urn, ResourceState[]>();
  for (const state of resources) {
    for (const urn of state.dependsOn) addTo(users, urn, state);
  }
  return users;
}

function addTo(lists: Map<Urn, ResourceState[]>, urn: Urn, state: ResourceState): void {
  const list = lists.get(urn);
  if (list === undefined) lists.set(urn, [state]);
  else list.push(state);
}
