import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { FunctionSpec } from "../components/node.ts";
import { DiagnosticError } from "../model/diagnostic.ts";
import { type BundleOutcome, Bundler } from "./bundler.ts";
import { FolderWatch } from "./folder-watch.ts";
import { WarmBuilds } from "./warm-builds.ts";

export interface WatcherOptions {
  /** Absolute path of the config's folder. */
  readonly projectRoot: string;
  /** Absolute path of `.scrim/cache`. */
  readonly cacheFolder: string;
  /** A function's bundle, or what is wrong with it, is another than before. Must not throw. */
  readonly onChange: (spec: FunctionSpec, outcome: BundleOutcome) => void;
}

export interface BundleWatcher {
  /** Watches these functions and no others. Resolves to their outcomes now, of which `onChange` is not told. */
  update(specs: readonly FunctionSpec[]): Promise<ReadonlyMap<FunctionSpec, BundleOutcome>>;
  /** Resolves when closed; rejects when watching ended by a failure of ours. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Editors write a file in several steps; what comes within this time is one save. */
const QUIET_MS = 5;
/** Notifications are lost on some disks (shared folders, too many watchers): all files are looked at this often. */
const LOOK_MS = 2000;
/** A broken function is tried again at each look, as what would mend it may lie anywhere; so many at most. */
const RETRIES_MAX = 4;

/** Bundles functions anew as their files change. */
export function createWatcher(options: WatcherOptions): BundleWatcher {
  return new Watcher(options);
}

class Watcher implements BundleWatcher {
  readonly done: Promise<void>;
  readonly #bundler: Bundler;
  readonly #warm = new WarmBuilds();
  readonly #onChange: WatcherOptions["onChange"];
  readonly #watch = new FolderWatch((folder) => this.#touch(folder));
  readonly #look: NodeJS.Timeout;
  readonly #outcomes = new Map<FunctionSpec, BundleOutcome>();
  readonly #touched = new Set<string>();
  #functionsIn = new Map<string, Set<FunctionSpec>>();
  #quiet: NodeJS.Timeout | undefined;
  #lookDue = false;
  #closed = false;
  #work: Promise<void> = Promise.resolve();
  #settleDone: { resolve: () => void; reject: (error: unknown) => void };

  constructor({ projectRoot, cacheFolder, onChange }: WatcherOptions) {
    this.#bundler = new Bundler({ projectRoot, cacheFolder, run: this.#warm.run });
    this.#onChange = onChange;
    const { promise, resolve, reject } = deferred();
    this.done = promise;
    // A failure is told by `done` to whoever waits for it, and never as an unhandled rejection.
    promise.catch(() => undefined);
    this.#settleDone = { resolve, reject };
    this.#look = setInterval(() => {
      this.#lookDue = true;
      this.#schedule(0);
    }, LOOK_MS);
    this.#look.unref();
  }

  async update(specs: readonly FunctionSpec[]): Promise<ReadonlyMap<FunctionSpec, BundleOutcome>> {
    return await this.#inTurn(async () => {
      const outcomes = await this.#bundler.bundle(specs);
      this.#outcomes.clear();
      for (const [spec, outcome] of outcomes) this.#outcomes.set(spec, outcome);
      this.#watchInputs();
      this.#save();
      // Whatever keeps it from starting is told by the build that needs it.
      this.#warm.start().catch(() => undefined);
      return outcomes;
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#look);
    clearTimeout(this.#quiet);
    this.#watch.close();
    await this.#work;
    await this.#warm.dispose();
    this.#settleDone.resolve();
  }

  #touch(folder: string): void {
    this.#touched.add(folder);
    this.#schedule(QUIET_MS);
  }

  #schedule(delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#inTurn(() => this.#rebuild()).catch((error) => this.#settleDone.reject(error));
    }, delayMs);
  }

  /** One thing at a time, in the order it was asked for. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#work.then(work);
    this.#work = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  async #rebuild(): Promise<void> {
    const specs = this.#due();
    if (specs.length === 0 || this.#closed) return;
    await this.#rebuildThese(specs);
    // Afterwards, so that nobody waits for it.
    this.#save();
  }

  async #rebuildThese(specs: readonly FunctionSpec[]): Promise<void> {
    const hadProblems = specs.filter((spec) => this.#isBroken(spec));
    const outcomes = await this.#bundleOrTell(specs);
    for (const [spec, outcome] of outcomes) this.#tell(spec, outcome);
    this.#watchInputs();
    // What mended one broken function may have mended those that were not tried.
    if (hadProblems.some((spec) => !this.#isBroken(spec))) {
      for (const [spec, outcome] of await this.#bundleOrTell(this.#broken())) {
        this.#tell(spec, outcome);
      }
      this.#watchInputs();
    }
  }

  /** The functions that may have changed: those with files in touched folders, and what a look is for. */
  #due(): readonly FunctionSpec[] {
    const due = new Set<FunctionSpec>();
    const anything = this.#touched.size > 0;
    for (const folder of this.#touched) {
      for (const spec of this.#functionsIn.get(folder) ?? []) due.add(spec);
    }
    if (this.#lookDue) for (const spec of this.#outcomes.keys()) due.add(spec);
    const broken = this.#broken();
    for (const spec of broken) due.delete(spec);
    const retries = anything ? broken : broken.slice(0, RETRIES_MAX);
    if (anything || this.#lookDue) for (const spec of retries) due.add(spec);
    this.#touched.clear();
    this.#lookDue = false;
    return [...due].filter((spec) => this.#outcomes.has(spec));
  }

  #broken(): readonly FunctionSpec[] {
    return [...this.#outcomes.keys()].filter((spec) => this.#isBroken(spec));
  }

  #isBroken(spec: FunctionSpec): boolean {
    const outcome = this.#outcomes.get(spec);
    return outcome !== undefined && "problems" in outcome;
  }

  async #bundleOrTell(
    specs: readonly FunctionSpec[],
  ): Promise<ReadonlyMap<FunctionSpec, BundleOutcome>> {
    try {
      return await this.#bundler.bundle(specs);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const problems = error.diagnostics;
      return new Map(specs.map((spec) => [spec, { problems }]));
    }
  }

  #save(): void {
    try {
      this.#bundler.save();
    } catch (error) {
      // What was built serves all the same; a disk that stays full is told at the next bundle.
      if (!(error instanceof DiagnosticError)) throw error;
    }
  }

  #tell(spec: FunctionSpec, outcome: BundleOutcome): void {
    const before = this.#outcomes.get(spec);
    if (this.#closed || before === undefined) return;
    this.#outcomes.set(spec, outcome);
    if (identity(before) !== identity(outcome)) this.#onChange(spec, outcome);
  }

  /** Follows the folders of all sources; packages are only looked at, being many and seldom edited. */
  #watchInputs(): void {
    if (this.#closed) return;
    const functionsIn = new Map<string, Set<FunctionSpec>>();
    const add = (folder: string, spec: FunctionSpec) => {
      const specs = functionsIn.get(folder);
      if (specs === undefined) functionsIn.set(folder, new Set([spec]));
      else specs.add(spec);
    };
    for (const [spec, outcome] of this.#outcomes) {
      const files =
        "bundle" in outcome ? outcome.bundle.inputs : this.#clues(spec, outcome.problems);
      for (const file of files) {
        if (!file.includes(`${sep}node_modules${sep}`)) add(dirname(file), spec);
      }
    }
    // A broken function keeps the folders it had, where the mistake most likely lies.
    for (const [folder, specs] of this.#functionsIn) {
      for (const spec of specs) if (this.#isBroken(spec)) add(folder, spec);
    }
    this.#functionsIn = functionsIn;
    this.#watch.set(new Set(functionsIn.keys()));
  }

  /** Files near which a broken function may be mended. */
  #clues(spec: FunctionSpec, problems: readonly { source?: { file: string } }[]): string[] {
    const root = this.#bundler.projectRoot;
    const handlers = [spec, ...(spec.authorizer ? [spec.authorizer] : [])];
    const near = handlers.map(({ handler }) => nearestFolder(root, join(root, handler)));
    const told = problems.flatMap(({ source }) => source?.file ?? []);
    return [...near, ...told.filter((file) => file.startsWith(root + sep))];
  }
}

/** The path, or what is above it, that lies in a folder that exists. */
function nearestFolder(root: string, path: string): string {
  let near = path;
  while (near.startsWith(root + sep) && !existsSync(dirname(near))) near = dirname(near);
  return near;
}

/** Equal for outcomes between which nobody could tell a difference. */
function identity(outcome: BundleOutcome): string {
  return "bundle" in outcome
    ? `${outcome.bundle.hash} ${outcome.bundle.handler} ${JSON.stringify(outcome.warnings)}`
    : JSON.stringify(outcome.problems);
}

function deferred() {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
