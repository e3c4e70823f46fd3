import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../model/json.ts";

/** Writes `.scrim/outputs.json`, whole or not at all. `outputs` holds no secret. */
export function writeOutputs(projectRoot: string, outputs: JsonObject): void {
  const folder = join(projectRoot, ".scrim");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "outputs.json");
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(outputs, null, 2)}\n`);
  renameSync(temporary, file);
}
