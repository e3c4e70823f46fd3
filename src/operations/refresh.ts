import { type Drift, refresh as readCloud } from "../engine/refresh.ts";
import { settle } from "../engine/settle.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { notFound } from "./remove.ts";
import { hideSecretOutputs } from "./secret-outputs.ts";
import { withHeldStage } from "./take-stage.ts";
import { checkedIdentity, emitHeader, warnWithoutConfig, withWorkspace } from "./workspace.ts";

export type { Drift };

export interface RefreshResult {
  readonly location: Location;
  /** What differed from the records, which say now what is there. */
  readonly drift: readonly Drift[];
  readonly snapshot: Snapshot;
}

/**
 * Reads every resource of a stage and records what differs, so that the next deploy brings it back. Changes nothing in
 * the cloud. Works from what is recorded where the config no longer builds.
 *
 * @throws DiagnosticError `STAGE_NOT_FOUND` (exit 1), `STAGE_LOCKED` (3), `IDENTITY_MISMATCH` (4), of the home (6)
 */
export async function refresh(
  target: Target,
  options: { readonly lockTimeoutMs: number },
  context: OperationContext,
): Promise<RefreshResult> {
  const location = await locate(target, { stateIsEnough: true }, context);
  warnWithoutConfig(location, context);
  return withWorkspace(location, context, async ({ home, cloud }) => {
    const { app, stage } = location;
    const log = home.stage(app, stage);
    const before = (await log.read()).snapshot;
    if (before.serial === 0) throw notFound(app, stage);
    const identity = await checkedIdentity(cloud, before, context.signal);
    emitHeader(location, identity, false, context);
    const seal = await home.sealer(app);
    const { clock, random, emit, signal } = context;
    const world = {
      handlers: hideSecretOutputs(cloud.handlers, null),
      seal,
      clock,
      random,
      emit,
      signal,
    };
    return withHeldStage(log, { command: "refresh", ...options }, context, async (epoch) => {
      const environment = { epoch, ...world };
      await settle(environment);
      const drift = await readCloud(environment);
      return { location, drift, snapshot: epoch.snapshot() };
    });
  });
}
