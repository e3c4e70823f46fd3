import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { BundleOutcome } from "./bundler.ts";
import { type TestProject, testProject, testSpec } from "./project.fixture.ts";
import { type BundleWatcher, createWatcher } from "./watch.ts";

interface Watched {
  readonly at: TestProject;
  readonly watcher: BundleWatcher;
  /** What `onChange` was told, oldest first: handler and hash or code of the first problem. */
  readonly told: string[];
}

const open: Watched[] = [];

afterEach(async () => {
  for (const { at, watcher } of open.splice(0)) {
    await watcher.close();
    at.dispose();
  }
});

function start(files: Readonly<Record<string, string>>): Watched {
  const at = testProject(files);
  const told: string[] = [];
  const watcher = createWatcher({
    projectRoot: at.root,
    cacheFolder: at.cacheFolder,
    onChange: (spec, outcome) => told.push(`${spec.handler} ${describe(outcome)}`),
  });
  const watched = { at, watcher, told };
  open.push(watched);
  return watched;
}

function describe(outcome: BundleOutcome): string {
  return "bundle" in outcome ? "built" : outcome.problems[0].code;
}

async function until(what: () => boolean): Promise<void> {
  for (let left = 1000; left > 0; left--) {
    if (what()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("waited 10 s in vain");
}

test("a save rebuilds the functions it concerns and no others", async () => {
  const { at, watcher, told } = start({
    "src/a.ts": `import { x } from "./lib/x"; export const handler = () => x;`,
    "src/b.ts": "export const handler = () => 1;",
    "src/lib/x.ts": "export const x = 1;",
  });
  const specs = [testSpec("src/a.handler"), testSpec("src/b.handler")];
  const first = await watcher.update(specs);
  expect([...first.values()].map(describe)).toEqual(["built", "built"]);
  at.write("src/lib/x.ts", "export const x = 2;");
  await until(() => told.length > 0);
  expect(told).toEqual(["src/a.handler built"]);
  at.write("src/b.ts", "export const handler = () => 2;");
  await until(() => told.length > 1);
  expect(told).toEqual(["src/a.handler built", "src/b.handler built"]);
});

test("a file that is renamed over another counts as a save, again and again", async () => {
  const { at, watcher, told } = start({ "src/a.ts": "export const handler = () => 0;" });
  await watcher.update([testSpec("src/a.handler")]);
  for (let save = 1; save <= 3; save++) {
    at.write("src/a.ts.tmp", `export const handler = () => ${save};`);
    renameSync(join(at.root, "src/a.ts.tmp"), join(at.root, "src/a.ts"));
    await until(() => told.length >= save);
  }
  expect(told).toHaveLength(3);
});

test("a mistake is told once, and its correction as well", async () => {
  const good = "export const handler = () => 1;";
  const { at, watcher, told } = start({ "src/a.ts": good });
  await watcher.update([testSpec("src/a.handler")]);
  at.write("src/a.ts", "export const handler = () => {");
  await until(() => told.length > 0);
  at.write("src/a.ts", good);
  await until(() => told.length > 1);
  expect(told).toEqual(["src/a.handler BUNDLE_FAILED", "src/a.handler built"]);
});

test("deleted files and folders that come back later are noticed", async () => {
  const source = `import "./deep/er/x"; export const handler = () => 1;`;
  const { at, watcher, told } = start({ "src/a.ts": source });
  const first = await watcher.update([testSpec("src/a.handler"), testSpec("new/b.handler")]);
  expect([...first.values()].map(describe)).toEqual([
    "BUNDLE_IMPORT_UNRESOLVED",
    "HANDLER_NOT_FOUND",
  ]);
  at.write("src/deep/er/x.ts", "");
  await until(() => told.includes("src/a.handler built"));
  at.write("new/b.ts", "export const handler = 1;");
  await until(() => told.includes("new/b.handler built"));
  rmSync(join(at.root, "src"), { recursive: true });
  await until(() => told.includes("src/a.handler HANDLER_NOT_FOUND"));
  at.write("src/a.ts", "export const handler = () => 2;");
  await until(() => told.at(-1) === "src/a.handler built");
});

test("a package that changes is noticed although packages are not watched", async () => {
  const { at, watcher, told } = start({
    "src/a.ts": `import x from "lib"; export const handler = () => x;`,
    "node_modules/lib/index.js": "module.exports = 1;",
  });
  await watcher.update([testSpec("src/a.handler")]);
  at.write("node_modules/lib/index.js", "module.exports = 2;");
  await until(() => told.length > 0);
  expect(told).toEqual(["src/a.handler built"]);
});

test("one change that concerns many functions reaches all of them", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `src/f${index}`);
  const files = names.map((name) => [
    `${name}.ts`,
    `import { x } from "./x"; export const handler = () => x + "${name}";`,
  ]);
  const { at, watcher, told } = start({
    ...Object.fromEntries(files),
    "src/x.ts": "export const x = 1;",
  });
  await watcher.update(names.map((name) => testSpec(`${name}.handler`)));
  at.write("src/x.ts", "export const x = ;");
  await until(() => told.length === 12);
  at.write("src/x.ts", "export const x = 3;");
  await until(() => told.length === 24);
  expect(told.slice(12)).toEqual(names.map((name) => `${name}.handler built`));
});

test("a closed watcher tells nothing and is done", async () => {
  const { at, watcher, told } = start({ "src/a.ts": "export const handler = () => 1;" });
  await watcher.update([testSpec("src/a.handler")]);
  at.write("src/a.ts", "export const handler = () => 2;");
  await watcher.close();
  await watcher.done;
  expect(told).toEqual([]);
});
