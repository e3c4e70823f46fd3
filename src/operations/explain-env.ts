import { basename } from "node:path";
import {
  baseEnvFile,
  type EnvExplanation,
  loadEnvFiles,
  readEnvFile,
} from "../config/env-files.ts";
import { findConfig } from "../config/find.ts";
import { type SelectedStage, selectStage } from "../config/select-stage.ts";
import type { OperationContext, Target } from "./context.ts";

export interface ExplainedEnv {
  /** The project's folder, in which the files are looked for. */
  readonly root: string;
  readonly stage: string;
  readonly stageSource: SelectedStage["source"];
  /** Files that were looked for, in the order in which they win. */
  readonly files: readonly { readonly name: string; readonly found: boolean }[];
  /** Every variable that a file names, and what decided it; never a value. */
  readonly variables: readonly EnvExplanation[];
}

/**
 * Which `.env` file, if not the process environment, sets each variable of the config. Does not run the config.
 *
 * @throws DiagnosticError `CONFIG_NOT_FOUND`, `ENV_FILE_*`, `STAGE_*` (exit 2)
 */
export function explainEnv(
  target: Pick<Target, "stage" | "config">,
  context: OperationContext,
): ExplainedEnv {
  const { folder } = findConfig(context.cwd, target.config);
  const selected = selectStage({
    flag: target.stage,
    processEnv: context.env,
    envFile: readEnvFile(baseEnvFile(folder)),
  });
  const loaded = loadEnvFiles(folder, selected.name, context.env);
  for (const diagnostic of [...selected.warnings, ...loaded.warnings]) {
    context.emit({ kind: "diagnostic", diagnostic });
  }
  return {
    root: folder,
    stage: selected.name,
    stageSource: selected.source,
    files: loaded.files.map((file) => ({
      name: basename(file),
      found: readEnvFile(file) !== null,
    })),
    variables: loaded.explain,
  };
}
