import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, extname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** One export of one file of the user's. */
export interface EntryExport {
  /** Slash-separated, relative to the project. */
  readonly entry: string;
  readonly exportName: string;
}

/** A module that nobody wrote: a handler behind its authorizer. */
export interface ComposedEntry {
  /** Tells it from others; the same on every machine. */
  readonly name: string;
  readonly authorizer: EntryExport;
  readonly handler: EntryExport;
}

/** What a composed entry exports. */
export const COMPOSED_EXPORT = "handler";

/** esbuild's name space of composed entries, and of our own code that goes into them. */
const ENTRIES = "scrim-composed";
const RUNTIME = "scrim";

/** Files of this tool below one folder, which is `dist` when it is built, else `src`. */
const ownFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const ownExtension = extname(fileURLToPath(import.meta.url));
const COMPOSER = `runtime/compose-authorizer${ownExtension}`;

export function composedEntry(authorizer: EntryExport, handler: EntryExport): ComposedEntry {
  const name = [authorizer, handler].map(({ entry, exportName }) => `${entry}.${exportName}`);
  return { name: name.join(" + "), authorizer, handler };
}

/** How esbuild is asked for a composed entry. */
export function composedPath({ name }: ComposedEntry): string {
  return `${ENTRIES}:${name}`;
}

/** Whether a path of esbuild's is one of these modules, and so no file of the project. */
export function isComposedPath(path: string): boolean {
  return path.startsWith(`${ENTRIES}:`) || path.startsWith(`${RUNTIME}:`);
}

let hash: string | undefined;

/** Of the code that composes. Built, its text names its chunks, whose names tell their content. */
export function composerHash(): string {
  hash ??= createHash("sha256")
    .update(readFileSync(join(ownFolder, COMPOSER)))
    .digest("hex");
  return hash;
}

/**
 * Gives esbuild composed entries. Our own code has paths of its own there, so that nothing of a bundle tells where this
 * tool is installed.
 */
export function composingPlugin(projectRoot: string, entries: readonly ComposedEntry[]): Plugin {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return {
    name: "scrim-compose",
    setup(build) {
      build.onResolve({ filter: /^scrim-composed:/ }, ({ path }) => ({
        path: path.slice(ENTRIES.length + 1),
        namespace: ENTRIES,
      }));
      build.onLoad({ filter: /.*/, namespace: ENTRIES }, ({ path }) => {
        const entry = byName.get(path);
        if (entry === undefined) throw new Error(`there is no composed entry ${path}`);
        return { contents: textOf(entry), loader: "js", resolveDir: projectRoot };
      });
      build.onResolve({ filter: /^scrim:/ }, ({ path, namespace }) =>
        namespace === ENTRIES ? { path: path.slice(RUNTIME.length + 1), namespace: RUNTIME } : null,
      );
      build.onResolve({ filter: /^\.{1,2}\//, namespace: RUNTIME }, ({ path, importer }) => ({
        path: posix.join(posix.dirname(importer), path),
        namespace: RUNTIME,
      }));
      build.onLoad({ filter: /.*/, namespace: RUNTIME }, ({ path }) => ({
        contents: readFileSync(join(ownFolder, path)),
        loader: path.endsWith(".ts") ? "ts" : "js",
      }));
    },
  };
}

/** Whether a line of a composed entry is the import of its authorizer. */
export function isAuthorizerImport(line: string): boolean {
  return line.includes(" as authorizer }");
}

/** Named imports, so that an export that is missing is told when the bundle is made. */
function textOf({ authorizer, handler }: ComposedEntry): string {
  return [
    `import { composeAuthorizer } from ${JSON.stringify(`${RUNTIME}:${COMPOSER}`)};`,
    `import { ${authorizer.exportName} as authorizer } from ${JSON.stringify(`./${authorizer.entry}`)};`,
    `import { ${handler.exportName} as route } from ${JSON.stringify(`./${handler.entry}`)};`,
    `export const ${COMPOSED_EXPORT} = composeAuthorizer(authorizer, route);`,
  ].join("\n");
}
