import { openPlane } from "./data-plane.fixture.ts";

/**
 * The entry of a process that a test kills: serves the folder of its first argument and prints the
 * port.
 */
const [, , folder = ""] = process.argv;
const plane = await openPlane(folder, null);
const bucket = await plane.instance("one", "local:bucket");
await bucket.put("local:bucket", "crash", {});
const table = await plane.instance("one", "local:table");
await table.put("local:table", "crash", {
  fields: { id: "string", group: "string" },
  primaryIndex: { hashKey: "id", rangeKey: null },
  globalIndexes: { byGroup: { hashKey: "group", rangeKey: null, projection: "all" } },
});
process.stdout.write(`${plane.port}\n`);
