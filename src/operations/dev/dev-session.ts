import { isAbsolute } from "node:path";
import type { Bundle } from "../../bundle/bundle.ts";
import { type BundleWatcher, createWatcher } from "../../bundle/watch.ts";
import { baseEnvFile } from "../../config/env-files.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { Seal } from "../../engine/values/render.ts";
import { DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import type { CloudIdentity, Snapshot } from "../../model/snapshot.ts";
import type { StageChanged } from "../change-stage.ts";
import type { OperationContext, Target } from "../context.ts";
import { type DeployResult, deployDesired } from "../deploy.ts";
import { bundleCacheFolder, type Evaluated, evaluate, lowerEvaluated } from "../desire.ts";
import { locate } from "../locate.ts";
import type { Workspace } from "../workspace.ts";
import { DevBundles } from "./dev-bundles.ts";
import type { DevCause, TellDev } from "./dev-event.ts";
import { refuseProtected } from "./refuse-protected.ts";
import { WatchedFiles } from "./watched-files.ts";

export interface DevSessionOptions {
  readonly target: Target;
  readonly workspace: Workspace;
  readonly config: LoadedConfig;
  readonly identity: CloudIdentity;
  readonly seal: Seal;
  /** For the first deploy; later changes wait for as long as somebody else has the stage. */
  readonly lockTimeoutMs: number;
  readonly tell: TellDev;
}

/** How often it is looked whether a secret was set, and for changes of files that the system did not tell. */
const LOOK_MS = 2_000;
const DAY_MS = 24 * 3600 * 1000;

/** What the stage is made of at the moment; replaced as one when the config changes. */
interface Current {
  readonly workspace: Workspace;
  readonly config: LoadedConfig;
  readonly evaluated: Evaluated;
  readonly bundles: DevBundles;
}

/**
 * Makes one stage follow the files: each save of a handler changes its function, each change of the config, of `.env`
 * or of a secret deploys anew. What cannot be served is told, and the last good version goes on answering. One change
 * at a time; the stage is held only while it is being changed.
 */
export class DevSession {
  readonly #options: DevSessionOptions;
  readonly #context: OperationContext;
  readonly #files = new WatchedFiles(() => this.#isDue("config"));
  readonly #watcher: BundleWatcher;
  /** When it was noticed that something is to be done. */
  readonly #due = new Map<DevCause, number>();
  #watched: readonly string[] = [];
  #current: Current | null = null;
  #wake: () => void = () => undefined;
  /** What the config was last refused for; the same is not told again. */
  #refused: string | null = null;
  /** Whether what would mend the config may lie where nothing is watched, such as a file it imports in vain. */
  #mayMendAnywhere = false;
  #hasResources = false;
  /** Of the secrets logs when they were last looked at. */
  #secretSerials: Evaluated["secrets"]["serials"] | null = null;
  #isLooking = false;
  /** What ended the watching of handlers, if anything did. */
  #failure: { readonly error: unknown } | null = null;

  constructor(options: DevSessionOptions, context: OperationContext) {
    this.#options = options;
    this.#context = context;
    const { root } = options.workspace.location;
    this.#watcher = createWatcher({
      projectRoot: root,
      cacheFolder: bundleCacheFolder(root),
      onChange: (spec, outcome) => {
        this.#current?.bundles.take(spec, outcome);
        if ("bundle" in outcome) this.#sendAhead(outcome.bundle);
        this.#isDue("code");
      },
    });
  }

  /**
   * Deploys, then follows the files until the signal is aborted.
   *
   * @returns the last change of the stage that was not completed, or null when it is what the files said last
   * @throws DiagnosticError of the first deploy, and `STAGE_REMOVED` (exit 1) of a later one
   */
  async run(): Promise<StageChanged | null> {
    const { signal } = this.#context;
    const look = setInterval(() => void this.#look(), LOOK_MS);
    const wake = (): void => this.#wake();
    signal.addEventListener("abort", wake);
    this.#watcher.done.catch((error: unknown) => this.#fail(error));
    try {
      const first = await this.#begin();
      if (first.outputs === null) return first.changed;
      this.#options.tell({ kind: "serving", outputs: first.shownOutputs });
      return await this.#follow();
    } finally {
      clearInterval(look);
      signal.removeEventListener("abort", wake);
      this.#files.close();
      await this.#watcher.close();
    }
  }

  async #begin(): Promise<DeployResult> {
    const { workspace, config, lockTimeoutMs } = this.#options;
    this.#watch(workspace, config);
    const current = await this.#evaluate(workspace, config);
    const [first, ...more] = current.bundles.problems();
    if (first !== undefined) throw new DiagnosticError(first, ...more);
    this.#current = current;
    this.#secretSerials = current.evaluated.secrets.serials;
    return await this.#deploy(current, "config", lockTimeoutMs);
  }

  async #evaluate(workspace: Workspace, config: LoadedConfig): Promise<Current> {
    const evaluated = await evaluate(config, workspace);
    const outcomes = await this.#watcher.update(evaluated.specs);
    const bundles = new DevBundles(outcomes, this.#current?.bundles ?? null);
    for (const outcome of outcomes.values()) {
      if (!("bundle" in outcome)) continue;
      for (const diagnostic of outcome.warnings) {
        this.#context.emit({ kind: "diagnostic", diagnostic });
      }
    }
    return { workspace, config, evaluated, bundles };
  }

  async #follow(): Promise<StageChanged | null> {
    const { signal } = this.#context;
    let unfinished: StageChanged | null = null;
    while (!signal.aborted) {
      if (this.#failure !== null) throw this.#failure.error;
      const cause = this.#nextCause();
      if (cause === null) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const startMs = this.#due.get(cause) ?? 0;
      this.#due.delete(cause);
      try {
        unfinished = await (cause === "config" ? this.#reload(startMs) : this.#swap(startMs));
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof DiagnosticError) || isLast(error)) throw error;
        this.#reject(cause, error);
      }
    }
    return unfinished;
  }

  #isDue(cause: DevCause): void {
    if (!this.#due.has(cause)) this.#due.set(cause, this.#context.clock.monotonicMs());
    this.#wake();
  }

  /** The code is on its way while the stage is taken; what goes wrong with it is told by the update. */
  #sendAhead({ hash, zipFile }: Bundle): void {
    const { cloud, location, zipFiles } = this.#options.workspace;
    zipFiles.set(hash, zipFile);
    cloud.sendCode?.(location.app, location.stage, hash).catch(() => undefined);
  }

  /** A reload bundles everything, too. */
  #nextCause(): DevCause | null {
    if (this.#due.has("config")) return "config";
    return this.#due.has("code") ? "code" : null;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#files.look();
      if (this.#mayMendAnywhere || (await this.#secretsChanged())) this.#isDue("config");
    } catch (error) {
      // Whatever is the matter with the home is told by the next change, which needs it.
      if (!(error instanceof DiagnosticError)) this.#fail(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #secretsChanged(): Promise<boolean> {
    const { home, location } = this.#options.workspace;
    const own = await home.secrets(location.app, location.stage).list();
    const fallback = await home.secrets(location.app, null).list();
    const before = this.#secretSerials;
    this.#secretSerials = { stage: own.serial, fallback: fallback.serial };
    return before !== null && (before.stage !== own.serial || before.fallback !== fallback.serial);
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  async #reload(startMs: number): Promise<StageChanged | null> {
    const files = this.#files.take();
    // A config that is tried again by itself has nothing to tell unless it is mended.
    const isRetry = this.#refused !== null && files.length === 0;
    const changing = { kind: "changing", cause: "config", files } as const;
    if (!isRetry) this.#options.tell(changing);
    const { workspace, config } = await this.#relocate();
    this.#watch(workspace, config);
    const current = await this.#evaluate(workspace, config);
    if (isRetry) this.#options.tell(changing);
    this.#current = current;
    this.#refused = null;
    this.#mayMendAnywhere = false;
    return await this.#serve("config", startMs);
  }

  #watch(workspace: Workspace, config: LoadedConfig): void {
    this.#watched = watchedBy(workspace, config);
    this.#files.set(this.#watched);
  }

  #swap(startMs: number): Promise<StageChanged | null> {
    this.#options.tell({ kind: "changing", cause: "code", files: [] });
    return this.#serve("code", startMs);
  }

  /** Tells what is broken, and serves the newest good version of everything. */
  async #serve(cause: DevCause, startMs: number): Promise<StageChanged | null> {
    const { tell } = this.#options;
    const current = this.#current;
    if (current === null) return null;
    const diagnostics = current.bundles.problems();
    if (diagnostics.length > 0) tell({ kind: "rejected", cause, diagnostics });
    const { specs } = current.evaluated;
    if (!specs.every((spec) => current.bundles.good.has(spec))) return null;
    const { changed, outputs, shownOutputs } = await this.#deploy(current, cause, DAY_MS);
    if (outputs === null) {
      tell({ kind: "incomplete", cause });
      return changed;
    }
    const resources = changed.applied === null ? [] : changedResources(changed.plan);
    if (diagnostics.length > 0 && resources.length === 0) return null;
    const elapsedMs = this.#context.clock.monotonicMs() - startMs;
    tell({ kind: "changed", cause, resources, elapsedMs, outputs: shownOutputs });
    return null;
  }

  async #deploy(current: Current, cause: DevCause, lockTimeoutMs: number): Promise<DeployResult> {
    const { identity, seal } = this.#options;
    const { workspace, config, evaluated, bundles } = current;
    const goal = {
      command: "dev",
      desired: lowerEvaluated(evaluated, bundles.good, workspace, true),
      settings: config.app,
      identity,
      seal,
      isAwake: cause === "code",
      check: (snapshot: Snapshot) => {
        refuseProtected(config.app, snapshot);
        if (this.#hasResources && !isThere(snapshot)) throw stageRemoved(snapshot);
      },
    };
    const options = { allowDestroy: [], allowEmpty: false, lockTimeoutMs };
    const result = await deployDesired(workspace, goal, options, this.#context);
    this.#hasResources = isThere(result.changed.snapshot);
    return result;
  }

  /** Loads the config again, for the same stage of the same app. */
  async #relocate(): Promise<Pick<Current, "workspace" | "config">> {
    const { workspace, target } = this.#options;
    const { app, stage, stageSource, home } = workspace.location;
    const location = await locate(
      { ...target, stage },
      { dev: true, stateIsEnough: false },
      this.#context,
    );
    if (location.config === null) throw new Error("a config was loaded and is not there");
    if (location.app !== app || location.home !== home) throw movedAway(app);
    const moved = { ...workspace, location: { ...location, stageSource } };
    return { workspace: moved, config: location.config };
  }

  #reject(cause: DevCause, error: DiagnosticError): void {
    const { diagnostics } = error;
    const key = JSON.stringify(diagnostics);
    if (cause === "config") {
      this.#mayMendAnywhere = diagnostics.some(({ code }) => code === "CONFIG_SYNTAX");
      if (this.#refused === key) return;
      this.#refused = key;
      const sources = diagnostics.flatMap(({ source }) => source?.file ?? []);
      this.#files.set([...new Set([...this.#watched, ...sources.filter(isAbsolute)])]);
    }
    this.#options.tell({ kind: "rejected", cause, diagnostics });
  }
}

/** Files that decide what the config evaluates to, there or not. */
function watchedBy({ location }: Workspace, config: LoadedConfig): readonly string[] {
  const base = baseEnvFile(location.root);
  return [...config.inputs, base, `${base}.${location.stage}`];
}

/** Names of what a plan changes, each once, in its order. */
function changedResources(plan: Plan): readonly string[] {
  const names = plan.steps.flatMap((step) => {
    if (step.action === "same") return [];
    return "goal" in step ? step.goal.name : step.prior.name;
  });
  return [...new Set(names)];
}

function isThere(snapshot: Snapshot): boolean {
  return snapshot.resources.some(({ status }) => status === "live");
}

/** Whether there is nothing left to follow. */
function isLast(error: DiagnosticError): boolean {
  return error.diagnostics[0].code === "STAGE_REMOVED";
}

function stageRemoved({ app, stage }: Snapshot): DiagnosticError {
  return fail("STAGE_REMOVED", `Stage ${stage} of ${app} was removed by another command`, {
    why: "Saving a file must not bring back what was removed on purpose.",
    hint: "Start scrim dev again to make the stage anew.",
    exit: EXIT.failed,
  });
}

function movedAway(app: string): DiagnosticError {
  return fail("DEV_APP_CHANGED", `The config describes another app than ${app}, or another home`, {
    why: "This run of dev goes on serving what it has.",
    hint: "End it, and start scrim dev again.",
    exit: EXIT.usage,
  });
}
