import { DEFAULT_HOME } from "../clouds/default-home.ts";
import { baseEnvFile, loadEnvFiles, readEnvFile } from "../config/env-files.ts";
import { type FoundConfig, findConfig } from "../config/find.ts";
import type { LoadedConfig } from "../config/load.ts";
import { type StageSource, selectStage } from "../config/select-stage.ts";
import { type Diagnostic, DiagnosticError, fail } from "../model/diagnostic.ts";
import type { OperationContext, Target } from "./context.ts";
import { readProjectMemory } from "./project-memory.ts";

/** Which stage of which app a command is about, and where it is kept. */
export interface Location {
  /** The project's folder; the working folder where there is no config. */
  readonly root: string;
  readonly app: string;
  readonly stage: string;
  readonly stageSource: StageSource;
  readonly home: string;
  /** The environment that the config sees: `.env` files included where there is a project. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null when there is no config or it does not build; then `problem` says why. */
  readonly config: LoadedConfig | null;
  readonly problem: DiagnosticError | null;
}

export interface LocateOptions {
  /** Whether the command is `scrim dev`. */
  readonly dev?: boolean;
  /** Whether the command can do without a config that builds. */
  readonly stateIsEnough: boolean;
  /** Whether the command is about the whole app, so that it does not matter how the stage was chosen. */
  readonly anyStage?: boolean;
}

/**
 * Finds the stage that a command is about from the config, and where there is none that works and `stateIsEnough`,
 * from `--app` and `--home` and what the project remembers of earlier deploys.
 *
 * @throws DiagnosticError of the config when nothing else tells the app
 */
export async function locate(
  target: Target,
  options: LocateOptions,
  context: OperationContext,
): Promise<Location> {
  const found = attempt(() => findConfig(context.cwd, target.config));
  if (found instanceof DiagnosticError && (!options.stateIsEnough || target.config !== null)) {
    throw found;
  }
  const root = found instanceof DiagnosticError ? context.cwd : found.folder;
  const selected = selectStage({
    flag: target.stage,
    processEnv: context.env,
    envFile: readEnvFile(baseEnvFile(root)),
  });
  if (options.anyStage !== true) tell(selected.warnings, context);
  const { config, env } =
    found instanceof DiagnosticError
      ? { config: found, env: context.env }
      : await load(found, selected.name, options, context);
  const place = { root, stage: selected.name, stageSource: selected.source, env };
  if (config instanceof DiagnosticError) {
    if (!options.stateIsEnough) throw config;
    return { ...place, ...remembered(root, selected.name, target, config), config: null };
  }
  const { name, home } = config.app;
  if (target.app !== null && target.app !== name) {
    const home = target.home ?? DEFAULT_HOME;
    return { ...place, app: target.app, home, config: null, problem: otherApp(name) };
  }
  return { ...place, app: name, home: target.home ?? home, config, problem: null };
}

interface Loaded extends Pick<Location, "env"> {
  readonly config: LoadedConfig | DiagnosticError;
}

async function load(
  found: FoundConfig,
  stage: string,
  options: LocateOptions,
  context: OperationContext,
): Promise<Loaded> {
  const { loadApp } = await import("../config/load.ts");
  let env: Location["env"] = context.env;
  try {
    const files = loadEnvFiles(found.folder, stage, context.env);
    tell(files.warnings, context);
    env = files.env;
    const loaded = await loadApp({
      configFile: found.file,
      stage,
      env: files.env,
      dev: options.dev === true,
    });
    tell(loaded.warnings, context);
    return { config: loaded, env };
  } catch (error) {
    if (error instanceof DiagnosticError) return { config: error, env };
    throw error;
  }
}

/** What is known of the app without its config. */
function remembered(
  root: string,
  stage: string,
  target: Target,
  problem: DiagnosticError,
): Pick<Location, "app" | "home" | "problem"> {
  const memory = readProjectMemory(root);
  const app = target.app ?? memory?.app;
  if (app === undefined) throw problem;
  // Homes rarely differ between the stages of a project, so that of another stage is the best guess.
  const known = memory?.homes.get(stage) ?? [...(memory?.homes.values() ?? [])].at(-1);
  return { app, home: target.home ?? known ?? DEFAULT_HOME, problem };
}

function attempt<T>(work: () => T): T | DiagnosticError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
}

function tell(warnings: readonly Diagnostic[], context: OperationContext): void {
  for (const diagnostic of warnings) context.emit({ kind: "diagnostic", diagnostic });
}

function otherApp(name: string): DiagnosticError {
  return fail("APP_MISMATCH", `The config here is of the app ${name}`, {
    why: "The command names another app with --app.",
    hint: "Leave --app out, or run the command elsewhere.",
  });
}
