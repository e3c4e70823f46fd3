import type { BundleSettings } from "../node.ts";
import { list, type Members, object, optional, type Parse, record } from "../options/parse.ts";
import { boolean, oneOf, string, text } from "../options/scalars.ts";

export type Loader =
  | "base64"
  | "binary"
  | "copy"
  | "css"
  | "dataurl"
  | "empty"
  | "file"
  | "js"
  | "json"
  | "jsx"
  | "text"
  | "ts"
  | "tsx";

/** How esbuild makes the function's bundle. */
export interface NodejsArgs {
  /** @default true */
  minify?: boolean;
  /** Puts a source map beside the code. @default false */
  sourcemap?: boolean;
  /** What to do with files by extension, for example `{ ".html": "text" }`. */
  loader?: Record<string, Loader>;
  /** Code to put in front of the bundle. */
  banner?: string;
  /** Settings handed to esbuild. */
  esbuild?: EsbuildArgs;
}

export interface EsbuildArgs {
  /** Packages and files that are not bundled. */
  external?: string[];
}

/** A file or folder to put into the bundle. */
export interface CopyFileArgs {
  /** Relative to the config's folder. */
  from: string;
  /** Relative to the bundle. @default the same as `from` */
  to?: string;
}

const loader = oneOf<Loader>(
  "base64",
  "binary",
  "copy",
  "css",
  "dataurl",
  "empty",
  "file",
  "js",
  "json",
  "jsx",
  "text",
  "ts",
  "tsx",
);

const extension = (key: string, at: Parameters<Parse<unknown>>[1]): void => {
  if (!/^\.[\w.-]+$/.test(key)) throw at.invalid(key, 'an extension such as ".html"');
};

const esbuild = object({
  external: optional(list(text), []),
} satisfies Members<EsbuildArgs>);

/** The option `nodejs`. */
export const nodejs: Parse<Omit<BundleSettings, "copyFiles">> = (value, at) => {
  const parsed = nodejsObject(value === undefined ? {} : value, at);
  const { esbuild: settings, ...rest } = parsed;
  return { ...rest, external: settings.external };
};

const nodejsObject = object(
  {
    minify: optional(boolean, true),
    sourcemap: optional(boolean, false),
    loader: optional(record(loader, extension), {}),
    banner: optional(string, ""),
    esbuild: optional(esbuild, { external: [] }),
  } satisfies Members<NodejsArgs>,
  ["install", "format", "plugins", "splitting", "architecture"],
);

const copyFile = object({
  from: text,
  to: optional(text, null),
} satisfies Members<CopyFileArgs>);

/** The option `copyFiles`. */
export const copyFiles: Parse<BundleSettings["copyFiles"]> = list((value, at) => {
  const { from, to } = copyFile(value, at);
  if (isAbsolute(from)) {
    throw at.key("from").invalid(from, "a path relative to the folder of the config");
  }
  const target = to ?? from;
  if (isAbsolute(target) || target.split("/").includes("..")) {
    throw at.key("to").invalid(target, "a path inside of the bundle");
  }
  return { from, to: target };
});

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.includes("\\") || /^[A-Za-z]:/.test(path);
}
