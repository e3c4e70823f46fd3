import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { AppBuilder } from "../components/app-builder.ts";
import { type Evaluation, enterEvaluation } from "../components/evaluation.ts";
import type { EvaluatedApp, NodeValue } from "../components/node.ts";
import { isPlainObject } from "../components/options/parse.ts";
import { Place } from "../components/options/place.ts";
import { didYouMean } from "../components/options/suggest.ts";
import { toNodeValue } from "../components/to-node-value.ts";
import {
  type Diagnostic,
  type DiagnosticError,
  fail,
  type SourceLocation,
} from "../model/diagnostic.ts";
import { type AppSettings, parseAppSettings } from "./app-settings.ts";
import { applyEnvironment } from "./apply-env.ts";
import { bundleConfig } from "./bundle-config.ts";
import { type ConsoleSettings, parseConsoleSettings } from "./console-settings.ts";
import { explainThrown } from "./explain-thrown.ts";
import { type GlobalFacts, installGlobals } from "./globals.ts";
import { runGuarded } from "./run-guard.ts";
import { ConfigLocator, keyBelow, optionBelow } from "./source-map.ts";
import { takeTurns } from "./take-turns.ts";

export interface LoadOptions {
  /** Absolute path. */
  readonly configFile: string;
  readonly stage: string;
  /** Environment that the config sees, as `loadEnvFiles` merges it. */
  readonly env: Readonly<Record<string, string>>;
  /** True in `scrim dev`. @default false */
  readonly dev?: boolean;
  /** Bound for loading and for `run()`, each. @default SCRIM_CONFIG_TIMEOUT of `env` in seconds, else 60 s */
  readonly timeoutMs?: number;
  /** Renders the problem of a config that loops for ever, right before the process ends; see `GuardOptions`. */
  readonly onHang?: (problem: Diagnostic) => void;
}

export interface LoadedConfig {
  readonly app: AppSettings;
  readonly console: ConsoleSettings;
  /** Absolute paths of every source file of the config, for `dev` to watch. */
  readonly inputs: readonly string[];
  readonly warnings: readonly Diagnostic[];
  /**
   * Runs the config's `run()`.
   *
   * @throws DiagnosticError (exit 2) for anything wrong in it; never an app that is only half described
   */
  evaluate(): Promise<EvaluatedApp>;
}

const TIMEOUT_MS = 60_000;

/** A module that was imported is kept by Node for ever; the number makes the next load evaluate it anew. */
let loads = 0;

/**
 * Loads a config for one stage: bundles it, runs its top level and `app()`.
 *
 * @throws DiagnosticError `CONFIG_*`, `OPTION_*` (exit 2), with file, line and column in the user's source
 */
export function loadApp(options: LoadOptions): Promise<LoadedConfig> {
  return takeTurns(() => load(options));
}

interface ConfigModule {
  readonly app: (input: unknown) => unknown;
  readonly run: () => unknown;
  readonly console: unknown;
}

async function load(options: LoadOptions): Promise<LoadedConfig> {
  const { configFile, stage, env, dev = false } = options;
  const timeoutMs = options.timeoutMs ?? timeoutOf(env);
  const bundle = await bundleConfig(configFile, dirname(configFile));
  const locator = new ConfigLocator(bundle.file);
  const evaluation: Evaluation = { locator, builder: null };
  const facts: GlobalFacts = { stage, dev, settings: null };
  const guard = {
    timeoutMs,
    explain: (what: string, thrown: unknown) => explainThrown(what, thrown, locator),
    ...(options.onHang === undefined ? {} : { onHang: options.onHang }),
  };
  const enter = (): void => {
    enterEvaluation(evaluation);
    installGlobals(facts);
    applyEnvironment(env);
  };

  enter();
  const config = await runGuarded({ what: "The config", ...guard }, () =>
    importConfig(bundle.file, configFile),
  );
  const answer = await runGuarded({ what: "app()", ...guard }, async () =>
    config.app(Object.freeze({ stage })),
  );
  const appPlace = placeIn(configFile, "app()", "app");
  if (answer === undefined) throw nothingReturned(appPlace);
  const { settings, warnings } = parseAppSettings(answer, appPlace);
  facts.settings = settings;
  const consolePlace = placeIn(configFile, "console", "console");
  return {
    app: settings,
    console: parseConsoleSettings(config.console ?? {}, consolePlace),
    inputs: bundle.inputs,
    warnings,
    evaluate: () =>
      takeTurns(() => {
        enter();
        const builder = new AppBuilder();
        evaluation.builder = builder;
        return runGuarded({ what: "run()", ...guard }, async () => config.run())
          .then((outputs) => ({
            name: settings.name,
            nodes: builder.nodes(),
            outputs: outputsOf(outputs, placeIn(configFile, "what run() returns", "run")),
          }))
          .finally(() => {
            evaluation.builder = null;
          });
      }),
  };
}

async function importConfig(file: string, configFile: string): Promise<ConfigModule> {
  loads += 1;
  const module: unknown = await import(`${pathToFileURL(file).href}?load=${loads}`);
  const config: unknown =
    typeof module === "object" && module !== null && "default" in module ? module.default : null;
  const source: SourceLocation = { file: configFile, line: 1 };
  if (!isPlainObject(config)) {
    throw fail("CONFIG_EXPORT_INVALID", "The config has no default export made by $config()", {
      hint: "Write `export default $config({ app(input) { ... }, async run() { ... } });`.",
      source,
    });
  }
  checkKeys(config, source);
  const { app, run } = config;
  if (!isFunction(app)) throw missing("app", "app(input) { return { name, home }; }", source);
  if (!isFunction(run)) throw missing("run", "async run() { ... }", source);
  return { app, run, console: config["console"] };
}

function checkKeys(config: Readonly<Record<string, unknown>>, start: SourceLocation): void {
  const known = ["app", "run", "console"];
  const [unknown] = Object.keys(config).filter((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw fail("OPTION_UNKNOWN", `Unknown option \`${unknown}\` of the config`, {
    hint: didYouMean(unknown, known, "options"),
    source: keyBelow(start, unknown) ?? start,
  });
}

function missing(name: string, form: string, source: SourceLocation): DiagnosticError {
  return fail("CONFIG_EXPORT_INVALID", `The config has no function ${name}()`, {
    hint: `Write \`${form}\`.`,
    source: keyBelow(source, name) ?? source,
  });
}

function nothingReturned(app: Place): DiagnosticError {
  return app.problem("OPTION_MISSING", "app() returns nothing", {
    why: "It must return an object with the app's name and home.",
    hint: 'Write `return { name: "shop", home: "local" };`.',
  });
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}

/** A place for values that no call on the stack brought: they are looked for in the text of the config. */
function placeIn(configFile: string, subject: string, key: string): Place {
  const top: SourceLocation = { file: configFile, line: 1 };
  const start = (): SourceLocation => keyBelow(top, key) ?? top;
  return new Place(subject, {
    location: start,
    locationOf: (name) => optionBelow(start(), name) ?? start(),
  });
}

function outputsOf(value: unknown, at: Place): Readonly<Record<string, NodeValue>> {
  if (value === undefined || value === null) return {};
  if (!isPlainObject(value)) throw at.invalid(value, "an object of outputs, or nothing");
  const given = Object.entries(value).filter(([, output]) => output !== undefined);
  return Object.fromEntries(given.map(([key, output]) => [key, toNodeValue(output, at.key(key))]));
}

function timeoutOf(env: Readonly<Record<string, string>>): number {
  const text = env["SCRIM_CONFIG_TIMEOUT"];
  if (text === undefined) return TIMEOUT_MS;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0 && seconds <= 86_400) return seconds * 1000;
  throw fail("CONFIG_TIMEOUT_INVALID", "SCRIM_CONFIG_TIMEOUT is not a number of seconds", {
    hint: "Set it to a number such as 120, or leave it out.",
  });
}
