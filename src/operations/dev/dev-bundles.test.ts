import { describe, expect, it } from "vitest";
import type { Bundle } from "../../bundle/bundle.ts";
import type { BundleOutcome } from "../../bundle/bundler.ts";
import { testSpec } from "../../bundle/project.fixture.ts";
import type { FunctionSpec } from "../../components/node.ts";
import { EXIT } from "../../model/diagnostic.ts";
import { DevBundles } from "./dev-bundles.ts";

const bundle = (hash: string): Bundle => ({
  ...{ hash, zipFile: `/${hash}.zip`, sizeBytes: 1, handler: "index.list", inputs: [] },
});
const good = (hash: string): BundleOutcome => ({ bundle: bundle(hash), warnings: [] });
const broken: BundleOutcome = {
  problems: [{ severity: "error", code: "BUNDLE_FAILED", message: "Broken", exit: EXIT.usage }],
};
const behind = (authorizer: string): FunctionSpec => ({
  ...testSpec("src/notes.list"),
  authorizer: testSpec(authorizer),
});

const servedAfter = (before: FunctionSpec, after: FunctionSpec): string | undefined => {
  const first = new DevBundles(new Map([[before, good("old")]]), null);
  return new DevBundles(new Map([[after, broken]]), first).good.get(after)?.hash;
};

describe("a function that is broken after the config changed", () => {
  it("keeps the bundle it had", () => {
    expect(servedAfter(testSpec("src/notes.list"), testSpec("src/notes.list"))).toBe("old");
    expect(servedAfter(behind("src/auth.handler"), behind("src/auth.handler"))).toBe("old");
  });

  it("never keeps the one of before it was protected, or was protected by another", () => {
    expect(servedAfter(testSpec("src/notes.list"), behind("src/auth.handler"))).toBeUndefined();
    expect(servedAfter(behind("src/old.handler"), behind("src/auth.handler"))).toBeUndefined();
  });
});
