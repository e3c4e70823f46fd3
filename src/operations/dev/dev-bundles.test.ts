import { describe, expect, it } from "vitest";
import type { BundleOutcome } from "../../bundle/bundler.ts";
import { testSpec } from "../../bundle/testing-project.ts";
import { DevBundles } from "./dev-bundles.ts";

function built(hash: string): BundleOutcome {
  const bundle = { hash, zipFile: "", sizeBytes: 1, handler: "index.get", inputs: [] };
  return { bundle, warnings: [] };
}

const broken: BundleOutcome = {
  problems: [{ severity: "error", code: "BUNDLE_FAILED", message: "Expected }", exit: 2 }],
};

describe("the bundles that dev serves", () => {
  it("keep the last good one of a function that is broken", () => {
    const spec = testSpec("src/a.get");
    const bundles = new DevBundles(new Map([[spec, built("1")]]), null);
    bundles.take(spec, broken);
    expect([bundles.good.get(spec)?.hash, bundles.problems().length]).toEqual(["1", 1]);
    bundles.take(spec, built("2"));
    expect([bundles.good.get(spec)?.hash, bundles.problems().length]).toEqual(["2", 0]);
  });

  it("tell a problem of several functions once", () => {
    const specs = [testSpec("src/a.get"), testSpec("src/b.get")];
    const bundles = new DevBundles(new Map(specs.map((spec) => [spec, broken])), null);
    expect(bundles.problems()).toHaveLength(1);
  });

  it("carry the good one over to the next config, for the same handler with the same settings", () => {
    const before = new DevBundles(new Map([[testSpec("src/a.get"), built("1")]]), null);
    const same = testSpec("src/a.get");
    const other = testSpec("src/b.get");
    const minified = testSpec("src/a.get", { minify: true });
    const outcomes = new Map([same, other, minified].map((spec) => [spec, broken]));
    const after = new DevBundles(outcomes, before);
    expect([same, other, minified].map((spec) => after.good.get(spec)?.hash)).toEqual([
      "1",
      undefined,
      undefined,
    ]);
  });
});
