import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { describe, expect, it } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));

interface Bundle {
  readonly gzipBytes: number;
  readonly files: readonly string[];
  readonly externals: readonly string[];
}

/** What code like this becomes in a function. */
async function bundle(contents: string): Promise<Bundle> {
  const result = await build({
    stdin: { contents, resolveDir: here, loader: "ts" },
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    write: false,
    metafile: true,
  });
  const metafile: Metafile = result.metafile;
  const [output] = Object.values(metafile.outputs);
  return {
    gzipBytes: gzipSync(result.outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length,
    files: Object.entries(output?.inputs ?? {})
      .filter(([name, { bytesInOutput }]) => name !== "<stdin>" && bytesInOutput > 0)
      .map(([name]) => join(process.cwd(), name)),
    externals: (output?.imports ?? []).map((entry) => entry.path),
  };
}

describe("in a function's bundle", () => {
  const adapter = 'export { AuthAdapter } from "./adapter/index.ts";';

  it("the adapters weigh at most 8 kB", async () => {
    const { gzipBytes, files } = await bundle(adapter);
    expect(files.length).toBeGreaterThan(10);
    expect(gzipBytes).toBeLessThanOrEqual(8 * 1024);
  });

  it("there is nothing but files of this folder and Node.js", async () => {
    for (const code of [
      adapter,
      'export * from "./index.ts"; export * from "./adapter/index.ts";',
    ]) {
      const { files, externals } = await bundle(code);
      expect(files.filter((file) => !file.startsWith(here))).toEqual([]);
      const builtin = (name: string) => builtinModules.includes(name.replace(/^node:/, ""));
      expect(externals.filter((name) => !builtin(name))).toEqual([]);
    }
  });

  it("adapters bring no sign-in with them", async () => {
    const { files } = await bundle(adapter);
    expect(files.filter((file) => file.includes("/callback/"))).toEqual([]);
  });
});
