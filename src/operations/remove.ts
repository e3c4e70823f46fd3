import { EMPTY_GRAPH } from "../engine/graph/graph.ts";
import { createPlan } from "../engine/plan/create-plan.ts";
import { assertRemovable } from "../engine/plan/guards.ts";
import type { Policy } from "../engine/plan/policy.ts";
import { EXIT, fail } from "../model/diagnostic.ts";
import type { LogRecord } from "../model/record.ts";
import type { Removal, Snapshot } from "../model/snapshot.ts";
import { changeStage, type StageChanged } from "./change-stage.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { hideSecretOutputs } from "./secret-outputs.ts";
import { checkedIdentity, emitHeader, warnWithoutConfig, withWorkspace } from "./workspace.ts";

export interface RemoveOptions {
  readonly lockTimeoutMs: number;
  /** The user said yes already. */
  readonly confirmed: boolean;
  /**
   * Goes on past failures: tries also what waits for something that could not be deleted. Never past a protection, and
   * what holds data is kept all the same.
   */
  readonly pastFailures: boolean;
}

export interface RemoveResult {
  readonly location: Location;
  readonly removal: Removal;
  /** Whether `removal` is of the current config; else it is the one recorded at the last deploy. */
  readonly removalFromConfig: boolean;
  readonly changed: StageChanged;
}

/**
 * Removes a stage, from what is recorded of it; the config is asked for `removal` and `protect` where it still builds.
 *
 * @throws DiagnosticError `STAGE_NOT_FOUND` (exit 1), `STAGE_PROTECTED` (5), `STAGE_LOCKED` (3), `NOT_CONFIRMED` (2)
 */
export async function remove(
  target: Target,
  options: RemoveOptions,
  context: OperationContext,
): Promise<RemoveResult> {
  const location = await locate(target, { stateIsEnough: true }, context);
  warnWithoutConfig(location, context);
  return withWorkspace(location, context, async (workspace) => {
    const { home, cloud } = workspace;
    const { app, stage, config } = location;
    const log = home.stage(app, stage);
    const { snapshot } = await log.read();
    if (snapshot.serial === 0) throw notFound(app, stage);
    const handlers = hideSecretOutputs(cloud.handlers, null);
    const policy = removePolicy(location, snapshot);
    assertRemovable(snapshot, policy.protect);
    const identity = await checkedIdentity(cloud, snapshot, context.signal);
    emitHeader(location, identity, false, context);
    await confirm(location, snapshot, policy.removal, options, context);
    const changed = await changeStage(
      log,
      {
        command: "remove",
        handlers,
        limits: cloud.limits ?? {},
        lockTimeoutMs: options.lockTimeoutMs,
        seal: refuseToSeal,
        pastFailures: options.pastFailures,
        plan: (current) =>
          createPlan({
            graph: EMPTY_GRAPH,
            snapshot: current,
            handlers,
            policy: removePolicy(location, current),
            seal: refuseToSeal,
          }),
        mustRecord: (current) => removedRecords(current).length > 0,
        before: () => [],
        after: removedRecords,
      },
      context,
    );
    const { resources, openIntents } = changed.snapshot;
    if (resources.length === 0 && openIntents.length === 0) {
      await cloud.forgetStage(app, stage);
      await home.secrets(app, stage).purge();
    }
    return {
      location,
      removal: policy.removal,
      removalFromConfig: config !== null,
      changed,
    };
  });
}

/** What marks a stage as removed: that no deploy of it stands any more. Also one of an app without resources. */
function removedRecords({ resources, facts }: Snapshot): readonly LogRecord[] {
  if (resources.length > 0 || facts === null || facts.secrets === null) return [];
  return [{ kind: "facts", facts: { ...facts, secrets: null } }];
}

function removePolicy(location: Location, snapshot: Snapshot): Policy {
  const settings = location.config?.app;
  return {
    mode: "remove",
    removal: settings?.removal ?? snapshot.facts?.removal ?? "retain",
    protect: settings?.protect ?? false,
    allowDestroy: new Set(),
    allowEmpty: true,
  };
}

async function confirm(
  location: Location,
  snapshot: Snapshot,
  removal: Removal,
  options: RemoveOptions,
  context: OperationContext,
): Promise<void> {
  const live = snapshot.resources.length;
  if (options.confirmed || location.stageSource === "--stage" || live === 0) return;
  const { app, stage, stageSource } = location;
  if (context.ask === null) {
    throw fail("NOT_CONFIRMED", `Stage ${stage} was not named, so its removal must be confirmed`, {
      why: `The stage came from ${stageSource}, and there is no terminal to ask on.`,
      hint: `Run scrim remove --stage ${stage}, or add --yes.`,
    });
  }
  const text = `Remove ${app}/${stage} (${live} resources, removal: ${removal})? Type the stage's name: `;
  if ((await context.ask({ text, hidden: false })).trim() === stage) return;
  throw fail("NOT_CONFIRMED", "Nothing was removed", {
    why: "The name typed is not that of the stage.",
    exit: EXIT.usage,
  });
}

/** The stage is empty afterwards, so nothing is compared with a sealed value; no key is needed. */
function refuseToSeal(): never {
  throw new Error("a removal seals nothing");
}

export function notFound(app: string, stage: string): Error {
  return fail("STAGE_NOT_FOUND", `Stage ${stage} of ${app} was not found`, {
    why: "Nothing is recorded about it. Names are case-sensitive.",
    hint: "Run scrim state list to see every stage.",
    exit: EXIT.failed,
  });
}
