import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BundleSettings, FunctionSpec } from "../components/node.ts";

/** A project in a temporary folder, for tests. */
export interface TestProject {
  readonly root: string;
  readonly cacheFolder: string;
  write(file: string, content: string): void;
  dispose(): void;
}

export function testProject(files: Readonly<Record<string, string>>): TestProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "scrim bundle \u00e9-")));
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  };
  for (const [file, content] of Object.entries(files)) write(file, content);
  return {
    root,
    cacheFolder: join(root, ".scrim", "cache"),
    write,
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function testSpec(handler: string, bundle: Partial<BundleSettings> = {}): FunctionSpec {
  return {
    handler,
    description: "",
    timeoutMs: 20_000,
    memoryMb: 1024,
    environment: {},
    links: [],
    permissions: [],
    architecture: "arm64",
    runtime: "nodejs22.x",
    concurrency: null,
    bundle: {
      minify: false,
      sourcemap: false,
      external: [],
      loader: {},
      banner: "",
      copyFiles: [],
      ...bundle,
    },
    url: null,
    source: { file: "scrim.config.ts", line: 12, column: 5 },
  };
}
