import { EXIT } from "../../model/diagnostic.ts";
import type { Step } from "../../model/plan.ts";
import type { ResourceState } from "../../model/resource.ts";
import type { Urn } from "../../model/urn.ts";
import { topologicalOrder } from "../graph/topological-order.ts";
import { handlerOf } from "../handler-of.ts";
import { type Draft, stepId } from "./draft.ts";
import { isGuarded, keptBecause } from "./guards.ts";

type DeleteReason = (Step & { readonly action: "delete" })["reason"];

/** A resource that is deleted. */
interface Departure {
  readonly record: ResourceState;
  /** Under the urn it has by the time it is deleted. */
  readonly state: ResourceState;
  readonly reason: DeleteReason;
}

/** Adds a step for everything that no goal wants: old generations and what the config dropped. */
export function planDepartures(draft: Draft): void {
  const departures: Departure[] = [
    ...draft.index.deposed.map((record): Departure => {
      return { record, state: record, reason: "replaced" };
    }),
    ...draft.replaced.map((one): Departure => ({ ...one, reason: "replaced" })),
  ];
  const detached = new Map<ResourceState, string>();
  for (const record of draft.request.snapshot.resources) {
    if (record.status === "deposed" || draft.claimed.has(record)) continue;
    const fate = fateOf(draft, record);
    if (fate === "delete") departures.push({ record, state: record, reason: reasonOf(draft) });
    if (fate === "detach") detached.set(record, addDetach(draft, record));
  }
  if (departures.length > 0) addDeletes(draft, departures, detached);
}

/** What becomes of a record without a goal. A retained one that stays needs no step. */
function fateOf(draft: Draft, state: ResourceState): "delete" | "detach" | "keep" {
  const { policy, snapshot, handlers } = draft.request;
  if (state.status === "tainted") return "delete";
  const kept = state.status === "retained" ? "keep" : "detach";
  const handler = handlerOf(handlers, state.type);
  if (policy.mode === "remove") {
    if (policy.removal === "remove") return "delete";
    return policy.removal === "retain-all" || handler.data ? kept : "delete";
  }
  if (state.status === "retained") return "keep";
  if (policy.removal === "retain-all" && !policy.allowDestroy.has(state.component)) return kept;
  return isGuarded(state, handler, snapshot, policy) ? kept : "delete";
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
  departures: readonly Departure[],
  detached: ReadonlyMap<ResourceState, string>,
): void {
  const leaving = new Map(departures.map((departure) => [departure.record, departure]));
  const users = usersOf(draft);
  const usersOfState = (state: ResourceState): readonly ResourceState[] =>
    (users.get(state.urn) ?? []).filter((user) => urnToday(draft, user) !== state.urn);
  const nodes = [...leaving.values()].reverse();
  const { order, blocked } = topologicalOrder(nodes, ({ state }) =>
    usersOfState(state).flatMap((user) => leaving.get(user) ?? []),
  );
  const placed = new Map<ResourceState, string>(detached);
  // Records that depend on each other go one by one; the cloud refuses what is still used, and the next run goes on.
  for (const departure of [...order, ...blocked]) {
    const { record, state } = departure;
    const id = stepId("delete", state.urn, state.generation);
    const after = new Set<string>();
    for (const user of usersOfState(state)) addUser(draft, placed, user, after);
    const successor = draft.settledBy.get(state.urn);
    if (successor !== undefined) after.add(successor);
    addDelete(draft, departure, id, [...after]);
    placed.set(record, id);
  }
}

function addUser(
  draft: Draft,
  placed: ReadonlyMap<ResourceState, string>,
  user: ResourceState,
  after: Set<string>,
): void {
  const leaves = placed.get(user);
  if (leaves !== undefined) after.add(leaves);
  const settled = draft.settledBy.get(draft.claimed.get(user) ?? user.urn);
  if (settled !== undefined) after.add(settled);
}

function addDelete(
  draft: Draft,
  { state, reason }: Departure,
  id: string,
  after: readonly string[],
): void {
  const { urn, generation, physicalName } = state;
  const step = { id, urn, generation, physicalName, after };
  draft.steps.push({ ...step, action: "delete", prior: state, reason });
  const { handlers, policy } = draft.request;
  if (policy.mode === "remove" || !handlerOf(handlers, state.type).data) return;
  draft.warnings.push({
    severity: "warning",
    code: "DATA_DELETED",
    message: `${state.component} is deleted with all its data`,
    why: reason === "dropped" ? "The config no longer has it." : "It is replaced by a new one.",
    exit: EXIT.done,
  });
}

/** The records that depend on each urn, by the urn that the dependency has today. */
function usersOf(draft: Draft): ReadonlyMap<Urn, readonly ResourceState[]> {
  const renames = new Map(draft.index.renamed);
  for (const [record, urn] of draft.claimed) if (record.urn !== urn) renames.set(record.urn, urn);
  const users = new Map<Urn, ResourceState[]>();
  for (const record of draft.request.snapshot.resources) {
    for (const dependency of record.dependsOn) {
      const urn = renames.get(dependency) ?? dependency;
      const known = users.get(urn);
      if (known === undefined) users.set(urn, [record]);
      else known.push(record);
    }
  }
  return users;
}

function urnToday(draft: Draft, record: ResourceState): Urn {
  return draft.claimed.get(record) ?? record.urn;
}
