import { parseStageName } from "../model/stage-name.ts";

/** Refuses an empty value, which is nearly always an unset variable in a script. */
export function nonEmpty(flag: string): (input: string) => string {
  return (input) => {
    if (input.trim() === "") throw new Error(`${flag} needs a value, it was empty`);
    return input;
  };
}

const DURATION = /^(\d{1,6})(ms|s|m|h|d)$/;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `30s`, `10m`, `1h`, `2d` into milliseconds. */
export function duration(flag: string): (input: string) => number {
  return (input) => {
    const match = DURATION.exec(input.trim());
    if (match === null) throw new Error(`${flag} takes a duration such as 30s, 10m or 1h`);
    return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  };
}

/** Parses a whole number from 1 on. */
export function wholeNumber(flag: string): (input: string) => number {
  return (input) => {
    if (/^[1-9]\d{0,8}$/.test(input.trim())) return Number(input);
    throw new Error(`${flag} takes a whole number from 1 on`);
  };
}

/** Flags that every command has. */
export const commonFlags = {
  json: {
    kind: "boolean",
    optional: true,
    withNegated: false,
    brief: "Print JSON documents, for programs",
  },
  verbose: {
    kind: "boolean",
    optional: true,
    withNegated: false,
    brief: "Say more, stack traces included",
  },
} as const;

/** Flags of commands that work on one stage. */
export const stageFlags = {
  stage: {
    kind: "parsed",
    parse: (input: string): string => parseStageName(nonEmpty("--stage")(input), "--stage"),
    optional: true,
    brief: "Stage to work on [else SCRIM_STAGE, .env, your username]",
    placeholder: "name",
  },
  config: {
    kind: "parsed",
    parse: nonEmpty("--config"),
    optional: true,
    brief: "Config file [else scrim.config.ts here or above]",
    placeholder: "file",
  },
  ...commonFlags,
} as const;

/** Flags that find a stage where the config is missing or does not build. */
export const stateFlags = {
  ...stageFlags,
  app: {
    kind: "parsed",
    parse: nonEmpty("--app"),
    optional: true,
    brief: "App's name, where there is no config",
    placeholder: "name",
  },
  home: {
    kind: "parsed",
    parse: nonEmpty("--home"),
    optional: true,
    brief: "Home of the stage, where there is no config",
    placeholder: "home",
  },
} as const;

/** For commands that take a stage: whether they wait for another that has it. */
export const lockTimeoutFlag = {
  kind: "parsed",
  parse: duration("--lock-timeout"),
  optional: true,
  brief: "How long to wait for another command on the stage [else not at all]",
  placeholder: "10m",
} as const;
