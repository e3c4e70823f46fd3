import { list, type Members, object, optional, type Parse } from "../components/options/parse.ts";
import type { Place } from "../components/options/place.ts";
import { boolean, matching, oneOf, text } from "../components/options/scalars.ts";
import { type Diagnostic, EXIT } from "../model/diagnostic.ts";
import type { Removal } from "../model/snapshot.ts";

/** What `app()` is given. */
export interface AppInput {
  /** The stage that a command works on. */
  readonly stage: string;
}

/** What `app()` returns. */
export interface AppArgs {
  /** Letters, digits and hyphens, at most 40 characters, the first a letter. */
  name: string;
  /** Where state is kept, and with it which cloud: this machine, AWS, or a bucket of your own. */
  home: "local" | "aws" | `s3://${string}`;
  /**
   * What `scrim remove` does: delete everything, keep buckets and tables, or keep all.
   * @default "retain"
   */
  removal?: Removal;
  /** The stage cannot be removed. @default false */
  protect?: boolean;
  providers?: ProvidersArgs;
  /** What `scrim dev` watches besides the sources of handlers. */
  watch?: WatchArgs;
}

export interface ProvidersArgs {
  aws?: AwsProviderArgs;
}

export interface AwsProviderArgs {
  region?: string;
  /** Named profile of the AWS configuration files. */
  profile?: string;
  /** Accounts, of twelve digits, that commands may work on; any other is refused. */
  allowedAccountIds?: string[];
}

export interface WatchArgs {
  paths?: string[];
  ignore?: string[];
}

/** The checked answer of `app()`. */
export interface AppSettings {
  readonly name: string;
  readonly home: string;
  readonly removal: Removal;
  readonly protect: boolean;
  readonly providers: {
    readonly aws: {
      readonly region: string | null;
      readonly profile: string | null;
      /** Empty when any account will do. */
      readonly allowedAccountIds: readonly string[];
    };
  };
  readonly watch: { readonly paths: readonly string[]; readonly ignore: readonly string[] };
}

const aws = object(
  {
    region: optional(matching(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as "eu-west-1"'), null),
    profile: optional(text, null),
    allowedAccountIds: optional(list(matching(/^\d{12}$/, "an account id of twelve digits")), []),
  } satisfies Members<AwsProviderArgs>,
  ["assumeRole", "assumeRoles", "defaultTags", "version"],
);

const providers = object({
  aws: optional(aws, { region: null, profile: null, allowedAccountIds: [] }),
} satisfies Members<ProvidersArgs>);

const watch = object({
  paths: optional(list(text), []),
  ignore: optional(list(text), []),
} satisfies Members<WatchArgs>);

const home: Parse<string> = (value, at) => {
  if (value === "local" || value === "aws") return value;
  if (typeof value === "string" && /^s3:\/\/[^/?#]+/.test(value)) return value;
  throw at.invalid(value, '"local", "aws", or "s3://" and the name of a bucket');
};

const app = object(
  {
    name: matching(
      /^[a-zA-Z][a-zA-Z0-9-]{0,39}$/,
      "letters, digits and hyphens, at most 40 characters, the first a letter",
    ),
    home,
    removal: optional(oneOf("remove", "retain", "retain-all"), null),
    protect: optional(boolean, false),
    providers: optional(providers, {
      aws: { region: null, profile: null, allowedAccountIds: [] },
    }),
    watch: optional(watch, { paths: [], ignore: [] }),
  } satisfies Members<AppArgs>,
  ["state", "types", "version"],
);

/**
 * Checks what `app()` returned.
 *
 * @throws DiagnosticError `OPTION_*` (exit 2), with every problem
 */
export function parseAppSettings(
  value: unknown,
  at: Place,
): { readonly settings: AppSettings; readonly warnings: readonly Diagnostic[] } {
  const parsed = app(value, at);
  const { removal } = parsed;
  if (removal !== null) return { settings: { ...parsed, removal }, warnings: [] };
  const warning: Diagnostic = {
    severity: "warning",
    code: "APP_REMOVAL_DEFAULTED",
    message: 'app() sets no `removal`; "retain" is used',
    why: "Buckets and tables are kept when the stage is removed.",
    hint: 'Set it, for example `removal: input.stage === "production" ? "retain" : "remove"`.',
    exit: EXIT.done,
  };
  return { settings: { ...parsed, removal: "retain" }, warnings: [warning] };
}
