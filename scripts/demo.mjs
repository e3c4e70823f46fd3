// Deploys examples/notes to the stage "demo" on this machine and calls it, as a newcomer would.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = join(root, "examples/notes");
const cli = join(root, "dist/cli/main.js");

function scrim(...args) {
  say(`$ npx scrim ${args.join(" ")}`);
  const result = spawnSync(process.execPath, [cli, ...args], { cwd: app, stdio: "inherit" });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

async function call(method, url, body) {
  const response = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  say(`$ curl -X ${method} ${url}`);
  say(`${response.status} ${text}\n`);
  if (!response.ok) process.exit(1);
}

scrim("deploy", "--stage", "demo");
say("");
const outputs = JSON.parse(readFileSync(join(app, ".scrim/outputs.json"), "utf8"));
await call("GET", `${outputs.url}/`);
await call("POST", `${outputs.url}/notes`, { text: "Deployed in seconds, without an account." });
await call("GET", `${outputs.url}/notes`);

say("It runs on this machine, in a stage of its own. Go on with:\n");
say("  cd examples/notes");
say("  npx scrim state list               # every stage, its last update and its resources");
say("  npx scrim logs --stage demo        # what the handlers printed");
say("  npx scrim dev --stage demo         # edit src/notes.ts and see it answer anew");
say("  npx scrim deploy --stage alice     # another stage beside it, with its own URL and data");
say("  npx scrim remove --stage demo      # everything of it is gone");
