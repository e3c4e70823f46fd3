import type { SourceLocation } from "../../model/diagnostic.ts";
import { aliases } from "../aliases.ts";
import { type Linkable, links, unique } from "../link.ts";
import type { FunctionSpec, FunctionUrlSpec, Link } from "../node.ts";
import { type Duration, durationSeconds } from "../options/duration.ts";
import { handler } from "../options/handler.ts";
import { type Members, object, optional, type Parse } from "../options/parse.ts";
import { integer, oneOf, string } from "../options/scalars.ts";
import { type Size, sizeMb } from "../options/size.ts";
import type { Input } from "../output.ts";
import { type PermissionArgs, permissions } from "../permissions.ts";
import { type Transform, transforms } from "../transform.ts";
import { type CopyFileArgs, copyFiles, type NodejsArgs, nodejs } from "./bundle-options.ts";
import { type CorsArgs, cors } from "./cors-options.ts";
import { environment } from "./environment-option.ts";

/** Options of every function, wherever it is written. */
export interface FunctionBaseArgs {
  /** `<path>.<export>` from the config's folder, for example `src/notes.list`. */
  handler: string;
  description?: string;
  /** @default "nodejs22.x" */
  runtime?: "nodejs22.x" | "nodejs24.x";
  /** From 1 second to 15 minutes. @default "20 seconds" */
  timeout?: Duration;
  /** From 128 MB to 10 GB. @default "1024 MB" */
  memory?: Size;
  /** Environment variables; nothing else of your environment reaches the function. */
  environment?: Record<string, Input<string>>;
  /** Components whose properties and permissions the function gets. */
  link?: Linkable[];
  permissions?: PermissionArgs[];
  /** @default "arm64" */
  architecture?: "arm64" | "x86_64";
  /** Most instances at once. */
  concurrency?: ConcurrencyArgs;
  /** Settings of the bundler. */
  nodejs?: NodejsArgs;
  /** Files to put into the bundle. */
  copyFiles?: CopyFileArgs[];
  /** Changes what the cloud is asked for. */
  transform?: FunctionTransforms;
}

export interface ConcurrencyArgs {
  /** Instances that are reserved for this function, and the most that it may have. */
  reserved?: number;
}

export interface FunctionTransforms {
  function?: Transform;
  role?: Transform;
  logGroup?: Transform;
  url?: Transform;
}

export interface FunctionUrlArgs {
  /** @default true */
  cors?: boolean | CorsArgs;
  /** @default "none" */
  authorization?: "none";
}

export interface FunctionArgs extends FunctionBaseArgs {
  /** Gives the function a URL of its own. @default false */
  url?: boolean | FunctionUrlArgs;
  /** Earlier names of this component. */
  aliases?: string[];
}

const concurrency = object(
  { reserved: optional(integer(0, 1000), null) } satisfies Members<ConcurrencyArgs>,
  ["provisioned"],
);

/** Parsers of {@link FunctionBaseArgs}, for every place that takes a function. */
export const functionBase = {
  handler,
  description: optional(string, ""),
  runtime: optional(oneOf("nodejs22.x", "nodejs24.x"), "nodejs22.x"),
  timeout: optional(durationSeconds(1, 900), 20),
  memory: optional(sizeMb(128, 10_240), 1024),
  environment,
  link: optional(links, []),
  permissions: optional(permissions, []),
  architecture: optional(oneOf("arm64", "x86_64"), "arm64"),
  concurrency: optional(concurrency, { reserved: null }),
  nodejs,
  copyFiles: optional(copyFiles, []),
  transform: transforms("function", "role", "logGroup", "url"),
} satisfies Members<FunctionBaseArgs>;

/** Options that users of comparable tools know and that are not here yet. */
export const FUNCTION_NOT_YET: readonly string[] = [
  "bundle",
  "dev",
  "hook",
  "injections",
  "layers",
  "logging",
  "name",
  "policies",
  "retries",
  "role",
  "storage",
  "streaming",
  "tags",
  "versioning",
  "volume",
  "vpc",
];

const urlObject = object(
  {
    cors,
    authorization: optional(oneOf("none"), "none"),
  } satisfies Members<FunctionUrlArgs>,
  ["router", "route"],
);

const url: Parse<FunctionUrlSpec | null> = (value, at) => {
  if (value === undefined || value === false) return null;
  return { cors: urlObject(value === true ? {} : value, at).cors };
};

/** The options of `scrim.aws.Function`. */
export const functionOptions = object(
  { ...functionBase, url, aliases } satisfies Members<FunctionArgs>,
  FUNCTION_NOT_YET,
);

/** Parsed options of every function. */
export type ParsedFunction = {
  readonly [K in keyof typeof functionBase]: ReturnType<(typeof functionBase)[K]>;
};

/** What parsed options say, as a node holds it. */
export function functionSpec(
  parsed: ParsedFunction,
  extra: {
    readonly url: FunctionUrlSpec | null;
    /** Links of whatever the function belongs to. */
    readonly links: readonly Link[];
    readonly location: () => SourceLocation | null;
    /** The authorizer that becomes part of it. */
    readonly authorizer?: FunctionSpec;
  },
): FunctionSpec {
  return {
    handler: parsed.handler,
    description: parsed.description,
    timeoutMs: parsed.timeout * 1000,
    memoryMb: parsed.memory,
    environment: parsed.environment,
    links: unique([...extra.links, ...parsed.link]),
    permissions: parsed.permissions,
    architecture: parsed.architecture,
    runtime: parsed.runtime,
    concurrency: parsed.concurrency.reserved,
    bundle: { ...parsed.nodejs, copyFiles: parsed.copyFiles },
    url: extra.url,
    transform: parsed.transform,
    ...(extra.authorizer && { authorizer: extra.authorizer }),
    get source() {
      return extra.location();
    },
  };
}
