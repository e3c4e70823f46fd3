import { buildGraph } from "../engine/graph/graph.ts";
import { createPlan } from "../engine/plan/create-plan.ts";
import { isEmptyPlan, summarizePlan } from "../engine/plan/summary.ts";
import type { Plan, PlanSummary } from "../model/plan.ts";
import type { OperationContext, Target } from "./context.ts";
import { policyOf } from "./deploy.ts";
import { desire } from "./desire.ts";
import { type Location, locate } from "./locate.ts";
import { withAccessWarnings } from "./plan-warnings.ts";
import { changedProtectedRoutes, type ProtectedRoute } from "./protected-routes.ts";
import { checkedIdentity, emitHeader, withWorkspace } from "./workspace.ts";

export interface DiffResult {
  readonly location: Location;
  readonly plan: Plan;
  readonly summary: PlanSummary;
  /** Whether a deploy would do anything. */
  readonly changes: boolean;
  /** The protected routes among what would change. */
  readonly protectedRoutes: readonly ProtectedRoute[];
}

/** What a deploy would do. Takes no lock and writes nothing to the home. */
export async function diff(
  target: Target,
  options: { readonly allowDestroy: readonly string[]; readonly allowEmpty: boolean },
  context: OperationContext,
): Promise<DiffResult> {
  const location = await locate(target, { stateIsEnough: false }, context);
  return withWorkspace(location, context, async (workspace) => {
    const { home, cloud } = workspace;
    const { config } = location;
    if (config === null) throw new Error("a diff needs a config");
    const { snapshot } = await home.stage(location.app, location.stage).read();
    const identity = await checkedIdentity(cloud, snapshot, context.signal);
    emitHeader(location, identity, snapshot.facts === null, context);
    const desired = await desire(config, workspace, false, context);
    const seal = await home.sealer(location.app);
    const policy = policyOf(config.app, options);
    const graph = buildGraph(desired.goals);
    const { handlers } = cloud;
    const request = { graph, snapshot, handlers, policy, seal };
    const plan = withAccessWarnings(createPlan(request));
    const changes = !isEmptyPlan(plan) || snapshot.openIntents.length > 0;
    const protectedRoutes = changedProtectedRoutes(desired.nodes, plan);
    return { location, plan, summary: summarizePlan(plan), changes, protectedRoutes };
  });
}
