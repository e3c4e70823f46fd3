import type { Cloud } from "../clouds/cloud.ts";
import type { OpenHome } from "../home/open-home.ts";
import { DiagnosticError, EXIT, fail } from "../model/diagnostic.ts";
import type { CloudIdentity, Snapshot } from "../model/snapshot.ts";
import type { OperationContext } from "./context.ts";
import type { Location } from "./locate.ts";
import { openHomeAndSite } from "./open-home.ts";
import { warnOfExposedKeys } from "./warn-of-exposed-keys.ts";

/** A stage with its home and cloud at hand. Opened by each operation, closed when it ends. */
export interface Workspace {
  readonly location: Location;
  readonly home: OpenHome;
  readonly cloud: Cloud;
  /** Bundles built by this command, by hash; the cloud reads them when it uploads. */
  readonly zipFiles: Map<string, string>;
}

/** Opens home and cloud of a stage, works, and closes them whatever happens. */
export async function withWorkspace<T>(
  location: Location,
  context: OperationContext,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  warnOfExposedKeys(location.app, context);
  const zipFiles = new Map<string, string>();
  const { home, site } = await openHomeAndSite(location, context);
  const cloud = await site.openCloud({
    version: context.version,
    readBundle: async (hash) => readZip(zipFiles, hash),
    signal: context.signal,
  });
  try {
    return await work({ location, home, cloud, zipFiles });
  } finally {
    await cloud.close();
  }
}

async function readZip(zipFiles: ReadonlyMap<string, string>, hash: string): Promise<Uint8Array> {
  const file = zipFiles.get(hash);
  if (file === undefined) throw new Error(`bundle ${hash} was not built by this command`);
  const { readFile } = await import("node:fs/promises");
  return readFile(file);
}

/**
 * The account and region that the cloud is reached in, compared with what the stage recorded at its first deploy.
 *
 * @throws DiagnosticError `IDENTITY_MISMATCH` (exit 4) naming both
 */
export async function checkedIdentity(
  cloud: Cloud,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<CloudIdentity> {
  const identity = await cloud.identity(signal);
  const recorded = snapshot.facts?.identity;
  if (recorded === undefined || sameIdentity(recorded, identity)) return identity;
  throw fail(
    "IDENTITY_MISMATCH",
    `Stage ${snapshot.stage} lives in ${identityText(recorded)}, not in ${identityText(identity)}`,
    {
      why: "Working on another account or region would make a second copy or lose sight of the first.",
      hint: "Use the credentials and region of its first deploy, or another stage name.",
      exit: EXIT.credentials,
    },
  );
}

function sameIdentity(left: CloudIdentity, right: CloudIdentity): boolean {
  return (
    left.cloud === right.cloud && left.account === right.account && left.region === right.region
  );
}

function identityText({ cloud, account, region }: CloudIdentity): string {
  return `${cloud} account ${account}, ${region}`;
}

/** Emits the header that every command on a stage begins with. */
export function emitHeader(
  location: Location,
  identity: CloudIdentity,
  creating: boolean,
  context: OperationContext,
): void {
  const { app, stage, stageSource } = location;
  context.emit({ kind: "header", app, stage, stageSource, ...identity, creating });
}

/** Tells the problem of a config that a command goes on without. */
export function warnWithoutConfig(location: Location, context: OperationContext): void {
  const { problem } = location;
  if (!(problem instanceof DiagnosticError)) return;
  const diagnostic = { ...problem.diagnostics[0], severity: "warning" as const };
  context.emit({ kind: "diagnostic", diagnostic });
}
