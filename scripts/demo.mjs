// Deploys examples/notes to the stage "demo" on this machine and uses it, as a newcomer would.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = join(root, "examples/notes");
const cli = join(root, "dist/cli/main.js");

// A reader that went away, as in `npm run demo | head`, has seen enough.
process.stdout.on("error", () => process.exit(0));

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function scrim(args, stdio = "inherit") {
  const result = spawnSync(process.execPath, [cli, ...args], { cwd: app, stdio });
  if (result.status !== 0) process.exit(result.status ?? 1);
  return result.stdout?.toString() ?? "";
}

/** Calls the app and shows the call as a command to copy. */
async function call(method, path, { body, token, expect }) {
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const url = `${outputs.url}${path}`;
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers, ...sent });
  const shown = [
    ...(token === undefined ? [] : ['-H "authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : [`-d '${sent.body}'`]),
  ].join(" ");
  say(`$ curl -X ${method} ${shown === "" ? "" : `${shown} `}${url}`);
  say(`${response.status} ${await response.text()}\n`);
  if (response.status !== expect) fail(`${expect} was expected`);
}

/** Calls the user pool as the AWS SDK does. */
async function userPool(operation, body) {
  const response = await fetch(new URL(outputs.userPool).origin, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ClientId: outputs.client, ...body }),
  });
  const answer = await response.json();
  if (!response.ok) fail(`${operation} failed: ${answer.message}`);
  return answer;
}

/** Signs up a user nobody had before, confirms with the code from the log, and signs in. */
async function signIn() {
  const Username = `ada-${Date.now()}@example.com`;
  const Password = "Correct-horse-7";
  await userPool("SignUp", { Username, Password });
  const log = scrim(["logs", "--stage", "demo", "--function", "Users", "--json"], "pipe");
  const code = /\b\d{6}\b/.exec(JSON.parse(log.trim().split("\n").at(-1)).message)?.[0];
  await userPool("ConfirmSignUp", { Username, ConfirmationCode: code });
  const AuthParameters = { USERNAME: Username, PASSWORD: Password };
  const { AuthenticationResult } = await userPool("InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters,
  });
  say(`Signed up ${Username}, confirmed with the code from scrim logs, and signed in.\n`);
  return AuthenticationResult.AccessToken;
}

say("$ npx scrim deploy --stage demo");
scrim(["deploy", "--stage", "demo"]);
say("");
const outputs = JSON.parse(readFileSync(join(app, ".scrim/outputs.json"), "utf8"));
await call("GET", "/", { expect: 200 });
await call("GET", "/me", { expect: 401 });
const token = await signIn();
await call("GET", "/me", { token, expect: 200 });
const body = { text: "Deployed in seconds, without an account." };
await call("POST", "/notes", { token, body, expect: 201 });
await call("GET", "/notes", { expect: 200 });

say("It runs on this machine, in a stage of its own. Go on with:\n");
say("  cd examples/notes");
say("  npx scrim state list               # every stage, its last update and its resources");
say("  npx scrim logs --stage demo        # what the handlers printed");
say("  npx scrim dev --stage demo         # edit src/notes.ts and see it answer anew");
say("  npx scrim deploy --stage alice     # another stage beside it, with its own URL and data");
say("  npx scrim remove --stage demo      # everything of it is gone");
say(`\nOr sign in with a browser: ${outputs.url}/sign-in`);
