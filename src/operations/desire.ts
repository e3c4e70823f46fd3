import { join } from "node:path";
import { bundleFunctions } from "../bundle/bundle-functions.ts";
import type { ComponentNode } from "../components/node.ts";
import { functionsOf } from "../components/resolve-refs.ts";
import type { LoadedConfig } from "../config/load.ts";
import { writeScrimEnv } from "../config/scrim-env.ts";
import type { ResourceGoal } from "../model/resource.ts";
import type { Value } from "../model/value.ts";
import type { OperationContext } from "./context.ts";
import { lowerApp } from "./lower-app.ts";
import { resolveSecrets } from "./resolve-secrets.ts";
import type { Workspace } from "./workspace.ts";

/** What the config wants of a stage, in terms of its cloud. */
export interface Desired {
  readonly nodes: readonly ComponentNode[];
  readonly goals: readonly ResourceGoal[];
  readonly outputs: Readonly<Record<string, Value>>;
  readonly secretSerials: { readonly stage: number; readonly fallback: number };
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
  const { root, stage } = workspace.location;
  const app = await config.evaluate();
  writeScrimEnv(root, app.nodes);
  const specs = app.nodes.flatMap(functionsOf);
  const secrets = await resolveSecrets(workspace.home, app.name, stage, app.nodes);
  const bundles = await bundleFunctions({
    projectRoot: root,
    specs,
    cacheFolder: join(root, ".scrim", "cache"),
    signal: context.signal,
    onWarning: (diagnostic) => context.emit({ kind: "diagnostic", diagnostic }),
  });
  for (const bundle of bundles.values()) workspace.zipFiles.set(bundle.hash, bundle.zipFile);
  const lowered = lowerApp({
    app,
    stage,
    dev,
    cloud: workspace.cloud,
    secrets: secrets.values,
    bundles,
  });
  return { nodes: app.nodes, ...lowered, secretSerials: secrets.serials };
}
