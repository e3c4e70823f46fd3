import type { AppSettings } from "../config/app-settings.ts";
import { buildGraph } from "../engine/graph/graph.ts";
import { createPlan } from "../engine/plan/create-plan.ts";
import type { Policy } from "../engine/plan/policy.ts";
import type { Seal } from "../engine/values/render.ts";
import { type Json, type JsonObject, jsonEquals } from "../model/json.ts";
import type { LogRecord } from "../model/record.ts";
import type { CloudIdentity, Snapshot, StageFacts } from "../model/snapshot.ts";
import { changeStage, type StageChanged } from "./change-stage.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Desired, desire } from "./desire.ts";
import { type Location, locate } from "./locate.ts";
import { writeOutputs } from "./outputs-file.ts";
import { rememberStage } from "./project-memory.ts";
import { resolveOutputs } from "./resolve-outputs.ts";
import { checkedIdentity, emitHeader, type Workspace, withWorkspace } from "./workspace.ts";

export interface DeployOptions {
  readonly allowDestroy: readonly string[];
  readonly allowEmpty: boolean;
  readonly lockTimeoutMs: number;
}

export interface DeployResult {
  readonly location: Location;
  readonly changed: StageChanged;
  /** What `run()` returned, in clear; null when the deploy did not get that far. */
  readonly outputs: JsonObject | null;
  /** The same with secrets masked, for printing and `.scrim/outputs.json`. */
  readonly shownOutputs: JsonObject;
}

/**
 * Makes the stage what the config says.
 *
 * @throws DiagnosticError: of config and bundling (exit 2), `STAGE_LOCKED` (3), `IDENTITY_MISMATCH` (4),
 * `DESTROY_REFUSED` (5), of the home (6). A resource that fails is told in the result.
 */
export async function deploy(
  target: Target,
  options: DeployOptions,
  context: OperationContext,
): Promise<DeployResult> {
  const location = await locate(target, { stateIsEnough: false }, context);
  return withWorkspace(location, context, (workspace) =>
    deployWorkspace(workspace, options, false, context),
  );
}

/** The part of a deploy that `dev` repeats in a workspace that stays open. */
export async function deployWorkspace(
  workspace: Workspace,
  options: DeployOptions,
  dev: boolean,
  context: OperationContext,
): Promise<DeployResult> {
  const { location, home, cloud } = workspace;
  const { config } = location;
  if (config === null) throw new Error("a deploy needs a config");
  const log = home.stage(location.app, location.stage);
  const before = (await log.read()).snapshot;
  const identity = await checkedIdentity(cloud, before, context.signal);
  emitHeader(location, identity, before.facts === null, context);
  const desired = await desire(config, workspace, dev, context);
  const seal = await home.sealer(location.app);
  const graph = buildGraph(desired.goals);
  const policy = policyOf(config.app, options);
  rememberStage(location.root, location.app, location.stage, location.home);
  const handlers = cloud.handlers;
  const facts = (snapshot: Snapshot): StageFacts =>
    deployedFacts(snapshot, desired, config.app, identity, seal);
  const changed = await changeStage(
    log,
    {
      command: dev ? "dev" : "deploy",
      lockTimeoutMs: options.lockTimeoutMs,
      seal,
      plan: (snapshot) => createPlan({ graph, snapshot, handlers, policy, seal }),
      mustRecord: (snapshot) => !sameFacts(snapshot.facts, facts(snapshot)),
      before: (snapshot) => factsBefore(snapshot, config.app, identity),
      after: (snapshot) => [{ kind: "facts", facts: facts(snapshot) }],
    },
    workspace,
    context,
  );
  // After a reboot nothing may have to change, and yet the stage must answer.
  if (changed.applied === null) await cloud.wake(location.app, location.stage);
  const outputs = resolveOutputs(desired.outputs, changed.snapshot, seal);
  const complete = changed.applied === null || changed.applied.status === "done";
  if (complete) writeOutputs(location.root, outputs.shown);
  return {
    location,
    changed,
    outputs: complete ? outputs.clear : null,
    shownOutputs: complete ? outputs.shown : {},
  };
}

/** What a plan of this deploy may do. */
export function policyOf(
  app: AppSettings,
  options: Pick<DeployOptions, "allowDestroy" | "allowEmpty">,
): Policy {
  return {
    mode: "deploy",
    removal: app.removal,
    protect: app.protect,
    allowDestroy: new Set(options.allowDestroy),
    allowEmpty: options.allowEmpty,
  };
}

/**
 * What stands in the log before the first mutation: where the stage lives, and never less protection than before. The
 * weaker facts follow when everything is done, so that a plan made again in between is the same plan.
 */
function factsBefore(
  snapshot: Snapshot,
  app: AppSettings,
  identity: CloudIdentity,
): readonly LogRecord[] {
  const { facts } = snapshot;
  const next: StageFacts = {
    identity,
    removal: app.removal,
    protect: app.protect || facts?.protect === true,
    outputs: facts?.outputs ?? {},
    secrets: facts?.secrets ?? null,
  };
  return sameFacts(facts, next) ? [] : [{ kind: "facts", facts: next }];
}

function deployedFacts(
  snapshot: Snapshot,
  desired: Desired,
  app: AppSettings,
  identity: CloudIdentity,
  seal: Seal,
): StageFacts {
  return {
    identity,
    removal: app.removal,
    protect: app.protect,
    outputs: resolveOutputs(desired.outputs, snapshot, seal).stored,
    secrets: desired.secretSerials,
  };
}

function sameFacts(left: StageFacts | null, right: StageFacts): boolean {
  return left !== null && jsonEquals(left as unknown as Json, right as unknown as Json);
}
