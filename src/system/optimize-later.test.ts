import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { expect, it } from "vitest";

it("says nothing, whatever this version of V8 thinks of the flag", () => {
  const source = fileURLToPath(new URL("./optimize-later.ts", import.meta.url));
  const { code } = transformSync(readFileSync(source, "utf8"), { loader: "ts" });
  const args = ["--input-type=module", "--eval", `${code}\noptimizeLater();`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});
