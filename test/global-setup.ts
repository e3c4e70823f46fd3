import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./support/root.ts";

/** Builds dist/ where it is missing or older than the source, so that tests of the real tool run what stands there. */
export default function setup(): void {
  // Somebody has chosen what to test.
  if (process.env["SCRIM_TEST_CLI"] !== undefined) return;
  const built = join(root, "dist/cli/main.js");
  if (existsSync(built) && statSync(built).mtimeMs > newestSourceMs()) return;
  const result = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], {
    cwd: root,
    stdio: "inherit",
  });
  if (result.status !== 0) throw new Error("the build failed");
}

function newestSourceMs(): number {
  const source = join(root, "src");
  const times = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => statSync(join(source, name)).mtimeMs);
  return Math.max(...times);
}
