import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { FunctionSpec } from "../components/node.ts";
import { type Diagnostic, DiagnosticError } from "../model/diagnostic.ts";
import { collectInputs } from "./build-inputs.ts";
import type { BuildOutput } from "./build-output.ts";
import { type BuildUnit, buildUnit } from "./build-unit.ts";
import type { Bundle } from "./bundle.ts";
import { BundleCache } from "./bundle-cache.ts";
import type { BundleRecord } from "./bundle-record.ts";
import { BundleStore } from "./bundle-store.ts";
import { COMPOSED_EXPORT, composedEntry, type EntryExport } from "./composed-entry.ts";
import { expandCopyFiles } from "./copy-files.ts";
import { findEntryFile } from "./entry-file.ts";
import { FileLedger, TIME_STEP_MS } from "./file-ledger.ts";
import { FolderListings } from "./folder-listing.ts";
import { parseHandler } from "./handler-path.ts";
import type { packBundle } from "./pack-bundle.ts";
import { requireExport } from "./require-export.ts";
import { type BuildAnswer, type RunEsbuild, runEsbuild } from "./run-esbuild.ts";

/** What became of one function: a bundle, or the reasons why there is none. */
export type BundleOutcome =
  | { readonly bundle: Bundle; readonly warnings: readonly Diagnostic[] }
  | { readonly problems: readonly [Diagnostic, ...Diagnostic[]] };

export interface BundlerOptions {
  /** Absolute path of the config's folder. */
  readonly projectRoot: string;
  /** Absolute path of `.scrim/cache`; made when it is not there. */
  readonly cacheFolder: string;
  /** Replaces esbuild's one-shot calls; `dev` keeps some builds warm. */
  readonly run?: RunEsbuild;
}

/** One function on its way: where its code is, or why that cannot be said. */
interface Request {
  readonly spec: FunctionSpec;
  readonly exportName: string;
  readonly unit: BuildUnit;
}

type Built = { readonly record: BundleRecord } | { readonly problems: readonly Diagnostic[] };

/**
 * Bundles functions of one project, remembering what it has bundled. Knows no cloud and runs no code of the user's.
 */
export class Bundler {
  readonly #projectRoot: string;
  readonly #store: BundleStore;
  readonly #ledger = new FileLedger();
  readonly #cache: BundleCache;
  readonly #run: RunEsbuild;
  #listings = new FolderListings();

  constructor(options: BundlerOptions) {
    // With links resolved, as esbuild reports its inputs.
    this.#projectRoot = realpathSync.native(options.projectRoot);
    const cacheFolder = resolve(options.cacheFolder);
    this.#store = new BundleStore(cacheFolder);
    this.#cache = new BundleCache(this.#projectRoot, cacheFolder, this.#store, this.#ledger);
    this.#run = options.run ?? runEsbuild;
  }

  /** With symbolic links resolved. */
  get projectRoot(): string {
    return this.#projectRoot;
  }

  /**
   * One outcome for each function, in their order. Looks at the disk anew on each call.
   *
   * @throws DiagnosticError `CACHE_UNWRITABLE` (exit 1); the signal's reason
   */
  async bundle(
    specs: readonly FunctionSpec[],
    signal?: AbortSignal,
  ): Promise<Map<FunctionSpec, BundleOutcome>> {
    this.#startRound();
    const outcomes = new Map<FunctionSpec, BundleOutcome>();
    const requests: Request[] = [];
    for (const spec of specs) {
      const request = attempt(() => this.#locate(spec));
      if ("problems" in request) outcomes.set(spec, request);
      else requests.push(request.value);
    }
    const built = await this.#build(
      requests.map(({ unit }) => unit),
      signal,
    );
    const again = requests.flatMap((request) =>
      commonJsRequest(request, built.get(request.unit.key)),
    );
    const builtAgain = await this.#build(
      again.map(({ unit }) => unit),
      signal,
    );
    for (const request of [...requests, ...again]) {
      const answer = builtAgain.get(request.unit.key) ?? built.get(request.unit.key);
      if (answer === undefined || isSplit(answer)) continue;
      outcomes.set(request.spec, this.#outcome(request, answer));
    }
    return new Map(specs.flatMap((spec) => pair(spec, outcomes.get(spec))));
  }

  /**
   * Keeps what was learned for the next run.
   *
   * @throws DiagnosticError `CACHE_UNWRITABLE` (exit 1)
   */
  save(): void {
    this.#cache.save(Date.now());
  }

  #startRound(): void {
    this.#ledger.startRound();
    this.#listings = new FolderListings();
  }

  #locate(spec: FunctionSpec): Request {
    const handler = this.#find(spec);
    const copied = expandCopyFiles(this.#projectRoot, spec);
    if (spec.authorizer === undefined) {
      return { spec, exportName: handler.exportName, unit: buildUnit(handler.entry, spec, copied) };
    }
    const composed = composedEntry(this.#find(spec.authorizer), handler);
    const unit = buildUnit(handler.entry, spec, copied, { composed });
    return { spec, exportName: COMPOSED_EXPORT, unit };
  }

  #find(spec: FunctionSpec): EntryExport {
    const path = parseHandler(spec);
    const entry = findEntryFile(this.#projectRoot, path, spec, this.#listings);
    return { entry, exportName: path.exportName };
  }

  /** By key, from the cache where that holds, else made now. */
  async #build(
    units: readonly BuildUnit[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, Built>> {
    const built = new Map<string, Built>();
    const missing = new Map<string, BuildUnit>();
    for (const unit of units) {
      if (built.has(unit.key) || missing.has(unit.key)) continue;
      const record = this.#cache.find(unit.key, this.#listings, Date.now());
      if (record === null) missing.set(unit.key, unit);
      else built.set(unit.key, { record });
    }
    if (missing.size === 0) return built;
    const startedMs = Date.now();
    const answers = await this.#run(this.#projectRoot, [...missing.values()], signal);
    this.#startRound();
    // Loaded here, like esbuild, since a run that finds everything in the cache needs neither.
    const { packBundle: pack } = await import("./pack-bundle.ts");
    for (const [unit, answer] of answers) {
      built.set(unit.key, this.#keep(unit, answer, startedMs, pack));
    }
    return built;
  }

  #keep(unit: BuildUnit, answer: BuildAnswer, startedMs: number, pack: typeof packBundle): Built {
    if ("problems" in answer) return answer;
    const { output, warnings } = answer;
    const packed = attempt(() => {
      // A CommonJS entry's exports are units of their own; there is nothing to pack yet.
      return output.commonJs ? null : pack(unit.spec, output, unit.copied);
    });
    if ("problems" in packed) return packed;
    const zip = packed.value === null ? null : this.#store.write(packed.value);
    return { record: this.#record(unit, output, warnings, zip, startedMs) };
  }

  #record(
    unit: BuildUnit,
    output: BuildOutput,
    warnings: readonly Diagnostic[],
    zip: BundleRecord["zip"],
    startedMs: number,
  ): BundleRecord {
    const copied = unit.copied.map(({ from }) => from);
    const inputs = collectInputs(this.#projectRoot, output.inputs, copied, this.#listings);
    const versions = inputs.files.flatMap((file) => this.#ledger.current(file) ?? []);
    const record: BundleRecord = {
      inputs: versions,
      folders: inputs.folders,
      zip,
      exports: output.exports,
      exportsOpen: output.exportsOpen,
      warnings,
      usedDayMs: 0,
    };
    // A file written while esbuild ran may have been read before or after; such a bundle serves once.
    const settled = versions.every(({ mtimeMs, ctimeMs }) => {
      return Math.max(mtimeMs, ctimeMs) < startedMs - TIME_STEP_MS;
    });
    if (settled && versions.length === inputs.files.length) {
      this.#cache.put(unit.key, record, Date.now());
    }
    return record;
  }

  #outcome({ spec, exportName, unit }: Request, built: Built): BundleOutcome {
    if ("problems" in built) return failed(built.problems);
    const { zip, inputs, warnings } = built.record;
    if (zip === null) throw new Error(`no bundle was made of ${unit.entry}`);
    const checked = attempt(() => requireExport(spec, unit.entry, exportName, built.record));
    if ("problems" in checked) return checked;
    const bundle: Bundle = {
      hash: zip.hash,
      zipFile: this.#store.zipFile(zip.hash),
      sizeBytes: zip.sizeBytes,
      handler: `index.${exportName}`,
      inputs: inputs.map(({ path }) => path),
    };
    return { bundle, warnings };
  }
}

/** The same function as a unit for its one export, when its entry turned out to be CommonJS. */
function commonJsRequest(request: Request, built: Built | undefined): readonly Request[] {
  if (built === undefined || !isSplit(built)) return [];
  const { entry, copied } = request.unit;
  const unit = buildUnit(entry, request.spec, copied, { commonJsExport: request.exportName });
  return [{ ...request, unit }];
}

/** Whether this is a CommonJS entry, of which each export is a unit of its own. */
function isSplit(built: Built): boolean {
  return "record" in built && built.record.zip === null;
}

function pair<K, V>(key: K, value: V | undefined): readonly [K, V][] {
  return value === undefined ? [] : [[key, value]];
}

type Attempt<T> =
  | { readonly value: T }
  | { readonly problems: readonly [Diagnostic, ...Diagnostic[]] };

/** Turns problems of the user's into a value, so that all functions are looked at before any is told. */
function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof DiagnosticError) return { problems: error.diagnostics };
    throw error;
  }
}

function failed(problems: readonly Diagnostic[]): BundleOutcome {
  const [first, ...more] = problems;
  if (first === undefined) throw new Error("a build failed without a problem");
  return { problems: [first, ...more] };
}
