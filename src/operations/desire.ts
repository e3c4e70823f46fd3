import { join } from "node:path";
import type { Bundle } from "../bundle/bundle.ts";
import { bundleFunctions } from "../bundle/bundle-functions.ts";
import type { ComponentNode, EvaluatedApp, FunctionSpec } from "../components/node.ts";
import { functionsOf } from "../components/resolve-refs.ts";
import type { LoadedConfig } from "../config/load.ts";
import { writeScrimEnv } from "../config/scrim-env.ts";
import type { OutputVault } from "../home/secrets/output-vault.ts";
import type { ResourceGoal } from "../model/resource.ts";
import type { Value } from "../model/value.ts";
import type { OperationContext } from "./context.ts";
import { lowerApp } from "./lower-app.ts";
import { type ResolvedSecrets, resolveSecrets } from "./resolve-secrets.ts";
import type { Workspace } from "./workspace.ts";

/** What the config wants of a stage, in terms of its cloud. */
export interface Desired {
  readonly nodes: readonly ComponentNode[];
  readonly goals: readonly ResourceGoal[];
  readonly outputs: Readonly<Record<string, Value>>;
  readonly secretSerials: { readonly stage: number; readonly fallback: number };
  /** For what the cloud answers when this is applied. */
  readonly vault: OutputVault;
}

/** What the config evaluates to for a stage, before its handlers are bundled. */
export interface Evaluated {
  readonly app: EvaluatedApp;
  /** Every function of the app, in a fixed order. */
  readonly specs: readonly FunctionSpec[];
  readonly secrets: ResolvedSecrets;
  readonly vault: OutputVault;
}

/**
 * Runs the config and turns it into goals: evaluate, write types, resolve secrets, bundle, lower. Changes nothing of
 * the stage.
 *
 * @throws DiagnosticError (exit 2) with all problems of the step that failed
 */
export async function desire(
  config: LoadedConfig,
  workspace: Workspace,
  dev: boolean,
  context: OperationContext,
): Promise<Desired> {
  const { root } = workspace.location;
  const evaluated = await evaluate(config, workspace);
  const bundles = await bundleFunctions({
    projectRoot: root,
    specs: evaluated.specs,
    cacheFolder: bundleCacheFolder(root),
    signal: context.signal,
    onWarning: (diagnostic) => context.emit({ kind: "diagnostic", diagnostic }),
  });
  return lowerEvaluated(evaluated, bundles, workspace, dev);
}

/** Runs the config, writes types and resolves secrets. */
export async function evaluate(config: LoadedConfig, workspace: Workspace): Promise<Evaluated> {
  const { root, stage } = workspace.location;
  const app = await config.evaluate();
  writeScrimEnv(root, app.nodes);
  const specs = app.nodes.flatMap(functionsOf);
  const secrets = await resolveSecrets(workspace.home, app.name, stage, app.nodes);
  const vault = await workspace.home.outputVault(app.name, stage);
  return { app, specs, secrets, vault };
}

/** The goals of an evaluated config with these bundles, one for each of its functions. */
export function lowerEvaluated(
  { app, secrets, vault }: Evaluated,
  bundles: ReadonlyMap<FunctionSpec, Bundle>,
  workspace: Workspace,
  dev: boolean,
): Desired {
  const { location, cloud, zipFiles } = workspace;
  for (const bundle of bundles.values()) zipFiles.set(bundle.hash, bundle.zipFile);
  const { stage } = location;
  const lowered = lowerApp({
    app,
    stage,
    dev,
    cloud,
    secrets: secrets.values,
    bundles,
    open: vault.decrypt,
  });
  return { nodes: app.nodes, ...lowered, secretSerials: secrets.serials, vault };
}

/** Where a project keeps its bundles between runs. */
export function bundleCacheFolder(root: string): string {
  return join(root, ".scrim", "cache");
}
