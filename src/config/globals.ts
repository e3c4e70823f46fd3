import {
  concat,
  interpolate,
  jsonParse,
  jsonStringify,
  resolve,
} from "../components/interpolate.ts";
import { scrim } from "../components/namespace.ts";
import { fail } from "../model/diagnostic.ts";
import type { AppArgs, AppInput, AppSettings } from "./app-settings.ts";
import type { ConsoleArgs } from "./console-settings.ts";

/** What a config file exports. */
export interface Config {
  /** Facts about the app and the stage. */
  app(input: AppInput): AppArgs | Promise<AppArgs>;
  /** Creates the components; what it returns are the outputs of the stage. */
  run(): RunResult | Promise<RunResult>;
  console?: ConsoleArgs;
}

type RunResult = Record<string, unknown> | undefined;

/** The global `$app`. */
export interface AppGlobal {
  readonly name: string;
  readonly stage: string;
  readonly removal: AppSettings["removal"];
  readonly protect: boolean;
}

/** What a config's globals say about the stage it is evaluated for. */
export interface GlobalFacts {
  readonly stage: string;
  readonly dev: boolean;
  /** Null until `app()` has returned. */
  settings: AppSettings | null;
}

/** Puts the globals of configs in place, for one stage. A later call replaces them. */
export function installGlobals(facts: GlobalFacts): void {
  Object.assign(globalThis, {
    $config: (config: unknown) => config,
    $app: appGlobal(facts),
    $dev: facts.dev,
    $interpolate: interpolate,
    $concat: concat,
    $jsonParse: jsonParse,
    $jsonStringify: jsonStringify,
    $resolve: resolve,
    scrim,
  });
}

function appGlobal(facts: GlobalFacts): AppGlobal {
  const settings = (name: string): AppSettings => {
    if (facts.settings !== null) return facts.settings;
    throw fail("APP_NOT_KNOWN", `$app.${name} is read before app() has returned`, {
      hint: "Read it in run(). In app(), use what it is given: app(input).",
    });
  };
  return Object.freeze({
    stage: facts.stage,
    get name() {
      return settings("name").name;
    },
    get removal() {
      return settings("removal").removal;
    },
    get protect() {
      return settings("protect").protect;
    },
  });
}
