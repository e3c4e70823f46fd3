import { isAbsolute } from "node:path";
import { baseEnvFile } from "../../config/env-files.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { type Diagnostic, DiagnosticError } from "../../model/diagnostic.ts";
import type { Workspace } from "../workspace.ts";
import { WatchedFiles } from "./watched-files.ts";

export interface ConfigWatchOptions {
  readonly workspace: Workspace;
  /** The config may evaluate to something else now. */
  readonly onChange: () => void;
  /** Watching ended by a failure of ours. */
  readonly onFailure: (error: unknown) => void;
}

/** How often it is looked whether a secret was set, and for changes of files that the system did not tell. */
const LOOK_MS = 2_000;

/** Notices what makes the config worth evaluating again: its files, `.env` files, secrets. */
export class ConfigWatch {
  readonly #options: ConfigWatchOptions;
  readonly #files: WatchedFiles;
  readonly #timer: NodeJS.Timeout;
  #watched: readonly string[] = [];
  /** What the config was last refused for. */
  #refused: string | null = null;
  /** Whether what would mend it may lie where nothing is watched, such as a file that it imports in vain. */
  #mayMendAnywhere = false;
  /** Of the secrets logs, before the last evaluation read them. */
  #secrets = "";
  #isLooking = false;

  constructor(options: ConfigWatchOptions) {
    this.#options = options;
    this.#files = new WatchedFiles(options.onChange);
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  /** Watches what this config was loaded from. */
  set(config: LoadedConfig): void {
    const { root, stage } = this.#options.workspace.location;
    const base = baseEnvFile(root);
    this.#watched = [...config.inputs, base, `${base}.${stage}`];
    this.#files.set(this.#watched);
  }

  /**
   * To be called before each evaluation: what changes from now on is told. Resolves to the files that have changed;
   * none for a secret. Null when nothing has, and a config that was refused is only to be tried again.
   */
  async take(): Promise<readonly string[] | null> {
    this.#secrets = await this.#secretSerials();
    const files = this.#files.take();
    return files.length === 0 && this.#refused !== null ? null : files;
  }

  accepted(): void {
    this.#refused = null;
    this.#mayMendAnywhere = false;
  }

  /** Also watches the places that the problems name. False when they are the same as the last time. */
  refused(problems: readonly Diagnostic[]): boolean {
    const refused = JSON.stringify(problems);
    this.#mayMendAnywhere = problems.some(({ code }) => code === "CONFIG_SYNTAX");
    if (this.#refused === refused) return false;
    this.#refused = refused;
    const sources = problems.flatMap(({ source }) => source?.file ?? []).filter(isAbsolute);
    this.#files.set([...new Set([...this.#watched, ...sources])]);
    return true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#files.close();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      this.#files.look();
      const secretsChanged = (await this.#secretSerials()) !== this.#secrets;
      if (secretsChanged || this.#mayMendAnywhere) this.#options.onChange();
    } catch (error) {
      // What is the matter with the home is told by the next change, which needs it, too.
      if (!(error instanceof DiagnosticError)) this.#options.onFailure(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #secretSerials(): Promise<string> {
    const { home, location } = this.#options.workspace;
    const own = await home.secrets(location.app, location.stage).list();
    const fallback = await home.secrets(location.app, null).list();
    return `${own.serial} ${fallback.serial}`;
  }
}
