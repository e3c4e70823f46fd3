// Measures everything that has a bar, each against a floor measured beside it in the same run, and prints one line for
// each. Run by `npm run bench`, which builds first; words name the groups to run. docs/reference/benchmarks.md explains
// the rows and the method. Ends with 0 also when a bar is missed: a busy machine must not fail a build.
import { jwtRows } from "./jwt.mjs";
import { rowText } from "./row.mjs";
import { deployRows } from "./rows/deploy.mjs";
import { devRows } from "./rows/dev.mjs";
import { gatewayRows } from "./rows/gateway.mjs";
import { handlerRows } from "./rows/handlers.mjs";
import { startUpRows } from "./rows/start-up.mjs";

const GROUPS = {
  "start-up": startUpRows,
  deploy: deployRows,
  handlers: handlerRows,
  gateway: gatewayRows,
  dev: devRows,
  jwt: jwtRows,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(GROUPS, name));
if (unknown.length > 0) throw new Error(`no such group: ${unknown.join(", ")}`);

console.log(`Node.js ${process.version}; ratios are to a floor of the same run.`);
for (const [name, rowsOf] of Object.entries(GROUPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of await rowsOf()) console.log(rowText(row));
}
console.log(
  "Kill -9 anywhere, and two deploys at once: test/e2e/kill and test/e2e/two-deployers.test.ts.",
);
