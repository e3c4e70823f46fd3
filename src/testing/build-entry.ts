import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Entries bundled for a test; what is not bundled is found in the repository's node_modules. */
export interface BuiltEntries {
  readonly folder: string;
  /** Absolute path of a built entry. */
  file(name: string): string;
  remove(): void;
}

const REPOSITORY = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Bundles process entries side by side as in the package.
 *
 * @param entries source files, absolute, by the name of the built file without its extension
 * @param define as in esbuild, for example `{ SCRIM_VERSION: '"1.2.3"' }`
 */
export async function buildEntries(
  entries: Readonly<Record<string, string>>,
  define: Readonly<Record<string, string>> = {},
): Promise<BuiltEntries> {
  const cache = join(REPOSITORY, "node_modules", ".cache", "scrim-test");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "entries-"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}\n');
  await build({
    entryPoints: { ...entries },
    outdir: folder,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    define: { ...define },
    logLevel: "silent",
  });
  return {
    folder,
    file: (name) => join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
