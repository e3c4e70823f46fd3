import type { Bundle } from "../../bundle/bundle.ts";
import { type BundleWatcher, createWatcher } from "../../bundle/watch.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { Seal } from "../../engine/values/render.ts";
import { type Diagnostic, DiagnosticError } from "../../model/diagnostic.ts";
import type { Emit } from "../../model/event.ts";
import type { Plan } from "../../model/plan.ts";
import type { CloudIdentity, Snapshot } from "../../model/snapshot.ts";
import type { StageChanged } from "../change-stage.ts";
import type { OperationContext, Target } from "../context.ts";
import { type DeployResult, deployDesired } from "../deploy.ts";
import { bundleCacheFolder, type Evaluated, evaluate, lowerEvaluated } from "../desire.ts";
import { locate } from "../locate.ts";
import type { Workspace } from "../workspace.ts";
import { ConfigWatch } from "./config-watch.ts";
import { DevBundles } from "./dev-bundles.ts";
import type { DevCause, TellDev } from "./dev-event.ts";
import { NewDiagnostics } from "./new-diagnostics.ts";
import { appChanged, refuseProtected, stageRemoved } from "./refusals.ts";

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
  readonly #configWatch: ConfigWatch;
  readonly #watcher: BundleWatcher;
  /** When it was noticed that something is to be done. */
  readonly #due = new Map<DevCause, number>();
  readonly #newWarnings = { config: new NewDiagnostics(), code: new NewDiagnostics() };
  #current: Current | null = null;
  #hasResources = false;
  #wake: () => void = () => undefined;
  /** What ended the watching, if anything did. */
  #failure: { readonly error: unknown } | null = null;

  constructor(options: DevSessionOptions, context: OperationContext) {
    this.#options = options;
    this.#context = context;
    const { workspace } = options;
    const { root } = workspace.location;
    this.#configWatch = new ConfigWatch({
      workspace,
      onChange: () => this.#isDue("config"),
      onFailure: (error) => this.#fail(error),
    });
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
    const wake = (): void => this.#wake();
    signal.addEventListener("abort", wake);
    this.#watcher.done.catch((error: unknown) => this.#fail(error));
    try {
      const first = await this.#begin();
      if (first.outputs === null) return first.changed;
      this.#options.tell({ kind: "serving", outputs: first.shownOutputs });
      return await this.#follow();
    } finally {
      signal.removeEventListener("abort", wake);
      this.#configWatch.close();
      await this.#watcher.close();
    }
  }

  async #begin(): Promise<DeployResult> {
    const { workspace, config, lockTimeoutMs } = this.#options;
    this.#configWatch.set(config);
    await this.#configWatch.take();
    const current = await this.#evaluate(workspace, config);
    const [first, ...more] = current.bundles.problems();
    if (first !== undefined) throw new DiagnosticError(first, ...more);
    this.#current = current;
    return await this.#deploy(current, "config", lockTimeoutMs);
  }

  async #evaluate(workspace: Workspace, config: LoadedConfig): Promise<Current> {
    const evaluated = await evaluate(config, workspace);
    const outcomes = await this.#watcher.update(evaluated.specs);
    const bundles = new DevBundles(outcomes, this.#current?.bundles ?? null);
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

  #fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  async #reload(startMs: number): Promise<StageChanged | null> {
    const files = await this.#configWatch.take();
    // A config that is only tried again has nothing to tell unless it is mended.
    if (files !== null) this.#options.tell({ kind: "changing", cause: "config", files });
    const { workspace, config } = await this.#relocate();
    this.#configWatch.set(config);
    const current = await this.#evaluate(workspace, config);
    if (files === null) this.#options.tell({ kind: "changing", cause: "config", files: [] });
    this.#current = current;
    this.#configWatch.accepted();
    return await this.#serve("config", startMs);
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
    this.#warn("code", current.bundles.warnings());
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
    const warnings: Diagnostic[] = [];
    const emit: Emit = (event) => {
      if (event.kind === "diagnostic") warnings.push(event.diagnostic);
      else this.#context.emit(event);
    };
    const options = { dev: true, stateIsEnough: false };
    const location = await locate({ ...target, stage }, options, { ...this.#context, emit });
    this.#warn("config", warnings);
    if (location.config === null) throw new Error("a config was loaded and is not there");
    if (location.app !== app || location.home !== home) throw appChanged(app);
    const moved = { ...workspace, location: { ...location, stageSource } };
    return { workspace: moved, config: location.config };
  }

  #warn(cause: DevCause, warnings: readonly Diagnostic[]): void {
    for (const diagnostic of this.#newWarnings[cause].of(warnings)) {
      this.#context.emit({ kind: "diagnostic", diagnostic });
    }
  }

  #reject(cause: DevCause, { diagnostics }: DiagnosticError): void {
    if (cause === "config" && !this.#configWatch.refused(diagnostics)) return;
    this.#options.tell({ kind: "rejected", cause, diagnostics });
  }
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
