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
import { withAccessWarnings } from "./plan-warnings.ts";
import { rememberStage } from "./project-memory.ts";
import { resolveOutputs } from "./resolve-outputs.ts";
import { hideSecretOutputs } from "./secret-outputs.ts";
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
    deployWorkspace(workspace, options, context),
  );
}

async function deployWorkspace(
  workspace: Workspace,
  options: DeployOptions,
  context: OperationContext,
): Promise<DeployResult> {
  const { location } = workspace;
  if (location.config === null) throw new Error("a deploy needs a config");
  const identity = await openStage(workspace, context);
  const desired = await desire(location.config, workspace, false, context);
  const seal = await workspace.home.sealer(location.app);
  const settings = location.config.app;
  const goal = { command: "deploy", desired, settings, identity, seal };
  return deployDesired(workspace, goal, options, context);
}

/** Compares the cloud with what the stage has recorded, and tells where the command works. */
export async function openStage(
  { location, home, cloud }: Workspace,
  context: OperationContext,
): Promise<CloudIdentity> {
  const { snapshot } = await home.stage(location.app, location.stage).read();
  const identity = await checkedIdentity(cloud, snapshot, context.signal);
  emitHeader(location, identity, snapshot.facts === null, context);
  return identity;
}

const NONE: ReadonlySet<string> = new Set();

/** Everything that a stage is to become. */
export interface DeployGoal {
  /** For the log: `deploy` or `dev`. */
  readonly command: string;
  readonly desired: Desired;
  readonly settings: AppSettings;
  readonly identity: CloudIdentity;
  readonly seal: Seal;
  /** The stage was seen to answer lately, so it is not asked whether it does. */
  readonly isAwake?: boolean;
  /** Refuses, by throwing, the state that the stage is found in. */
  readonly check?: (snapshot: Snapshot) => void;
}

/** The part of a deploy that changes the stage; `dev` repeats it in a workspace that stays open. */
export async function deployDesired(
  workspace: Workspace,
  goal: DeployGoal,
  options: DeployOptions,
  context: OperationContext,
): Promise<DeployResult> {
  const { location, home, cloud } = workspace;
  const { desired, settings, identity, seal } = goal;
  const graph = buildGraph(desired.goals);
  const policy = policyOf(settings, options);
  rememberStage(location.root, location.app, location.stage, location.home);
  const handlers = hideSecretOutputs(cloud.handlers, desired.vault);
  const facts = (snapshot: Snapshot): StageFacts =>
    deployedFacts(snapshot, desired, settings, identity, seal);
  // After a reboot nothing may have to change, and yet the stage must answer.
  const unwell = goal.isAwake === true ? NONE : await cloud.wake(location.app, location.stage);
  const changed = await changeStage(
    home.stage(location.app, location.stage),
    {
      command: goal.command,
      handlers,
      limits: cloud.limits ?? {},
      lockTimeoutMs: options.lockTimeoutMs,
      seal,
      plan: (snapshot) => {
        goal.check?.(snapshot);
        const known = withUnknownInputs(snapshot, unwell);
        return withAccessWarnings(createPlan({ graph, snapshot: known, handlers, policy, seal }));
      },
      mustRecord: (snapshot) => !sameFacts(snapshot.facts, facts(snapshot)),
      before: (snapshot) => [
        ...factsBefore(snapshot, settings, identity),
        ...recordsOfUnwell(snapshot, unwell),
      ],
      after: (snapshot) => factsIfNew(snapshot.facts, facts(snapshot)),
    },
    context,
  );
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

/** The state in which what cannot answer as recorded counts as changed, so that a plan puts it again. */
function withUnknownInputs(snapshot: Snapshot, unwell: ReadonlySet<string>): Snapshot {
  if (unwell.size === 0) return snapshot;
  const resources = snapshot.resources.map((state) =>
    unwell.has(state.physicalName) ? { ...state, inputs: null } : state,
  );
  return { ...snapshot, resources };
}

/** The same as records, so that an interrupted deploy is followed by one that knows it too. */
function recordsOfUnwell(snapshot: Snapshot, unwell: ReadonlySet<string>): readonly LogRecord[] {
  return withUnknownInputs(snapshot, unwell)
    .resources.filter((state) => unwell.has(state.physicalName))
    .map((state) => ({ kind: "resource", state }));
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
  return factsIfNew(facts, next);
}

/** Most deploys change no fact, and each frame of the log waits for the disk twice. */
function factsIfNew(known: StageFacts | null, next: StageFacts): readonly LogRecord[] {
  return sameFacts(known, next) ? [] : [{ kind: "facts", facts: next }];
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
