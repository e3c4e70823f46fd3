// The least that a deploy without changes must do: read and parse what is recorded of COUNT resources, make the goals,
// and compare them in depth. Run as `node plan.mjs <snapshot file> <count>`.
import { readFileSync } from "node:fs";

const [file, count] = process.argv.slice(2);
// A snapshot is one line of JSON; what stands behind it is its checksum.
const { snapshot } = JSON.parse(readFileSync(file, "utf8").split("\n", 1)[0]);
const recorded = new Map(snapshot.resources.map((state) => [state.urn, state]));
let changes = 0;
for (let at = 0; at < Number(count); at += 1) {
  const name = `Bucket${at}`;
  const goal = {
    urn: `bench:thing::${name}`,
    name,
    component: name,
    dependsOn: [],
    inputs: recorded.get(`bench:thing::Bucket0`).inputs,
  };
  const inputs = structuredCopy(goal.inputs);
  const prior = recorded.get(goal.urn);
  const same =
    prior.name === goal.name &&
    prior.component === goal.component &&
    deepEquals(prior.inputs, inputs) &&
    deepEquals(prior.dependsOn, goal.dependsOn);
  if (!same) changes += 1;
}
if (changes > 0 || recorded.size !== Number(count)) throw new Error("the floor compared nothing");

function structuredCopy(value) {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, structuredCopy(item)]),
  );
}

function deepEquals(left, right) {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || !left || !right) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && deepEquals(left[key], right[key]))
  );
}
