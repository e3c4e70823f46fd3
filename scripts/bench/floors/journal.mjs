// The least that a first deploy must do: a line before and a line after each of COUNT resources, then a snapshot that is
// moved to its place. Nothing is synchronized with the disk. Run as `node journal.mjs <folder> <count>`.
import { closeSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const [folder, count] = process.argv.slice(2);
const journal = openSync(join(folder, "journal"), "w");
const resources = [];
for (let at = 0; at < Number(count); at += 1) {
  const name = `Bucket${at}`;
  const urn = `bench:thing::${name}`;
  const physicalName = `bench-bench-bucket${at}-0123456789abcdef`;
  writeSync(journal, `${JSON.stringify({ kind: "intent", urn, physicalName })}\n`);
  const state = {
    urn,
    type: "bench:thing",
    name,
    component: name,
    status: "live",
    generation: 1,
    physicalName,
    id: physicalName,
    inputs: { cors: { allowOrigins: ["*"], allowMethods: ["*"] }, versioning: false },
    outputs: { name: physicalName, arn: `arn:bench:::${physicalName}` },
    dependsOn: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
  writeSync(journal, `${JSON.stringify({ kind: "done", state })}\n`);
  resources.push(state);
}
closeSync(journal);
const file = join(folder, "snapshot");
writeFileSync(`${file}.new`, JSON.stringify({ serial: 1, resources }));
renameSync(`${file}.new`, file);
