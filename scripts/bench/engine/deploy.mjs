// One deploy by the engine, config and home as they are, onto a cloud that does nothing: what `scrim deploy` costs when
// the cloud costs nothing. Bundled by bundle-deploy.mjs, and run as `node deploy.cjs` in a project with SCRIM_HOME set.
import { urnOf } from "../../../src/model/urn.ts";
import { Ref } from "../../../src/model/value.ts";
import { deployDesired, openStage } from "../../../src/operations/deploy.ts";
import { desire } from "../../../src/operations/desire.ts";
import { locate } from "../../../src/operations/locate.ts";
import { openHome } from "../../../src/operations/open-home.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { optimizeLater } from "../../../src/system/optimize-later.ts";
import { systemRandom } from "../../../src/system/random.ts";

const TYPE = "bench:thing";

const context = {
  cwd: process.cwd(),
  env: { ...process.env },
  clock: systemClock,
  random: systemRandom,
  version: "0.0.0",
  emit: () => undefined,
  signal: new AbortController().signal,
  ask: null,
};

/** @type {import("../../../src/engine/handler.ts").ResourceHandler} */
const handler = {
  type: TYPE,
  recovery: "idempotent",
  data: false,
  naming: { maxLength: 63, lowerCase: true },
  consistencyWindowMs: 0,
  replaces: () => [],
  read: async () => ({ kind: "gone" }),
  create: async (call) => doneAs(call.physicalName),
  update: async (call) => doneAs(call.physicalName),
  delete: async () => ({ kind: "gone" }),
};

function doneAs(id) {
  return { kind: "done", id, outputs: { name: id, arn: `arn:bench:::${id}` } };
}

/** @type {import("../../../src/clouds/cloud.ts").Cloud} */
const cloud = {
  name: "bench",
  identity: async () => ({ cloud: "bench", account: "000000000000", region: "local" }),
  lower: (node) => {
    const urn = urnOf(TYPE, node.name);
    const { name } = node;
    const inputs = { cors: node.cors, versioning: node.versioning };
    const goal = { urn, type: TYPE, name, component: name, inputs, dependsOn: [], aliases: [] };
    return { goals: [goal], outputs: { name: new Ref(urn, "name"), arn: new Ref(urn, "arn") } };
  },
  handlers: new Map([[TYPE, handler]]),
  // As the local cloud.
  limits: { concurrency: 128 },
  logs: { isFunction: () => false, read: async function* () {} },
  wake: async () => new Set(),
  forgetStage: async () => undefined,
  close: async () => undefined,
};

async function deploy() {
  const target = { stage: "bench", config: null, app: null, home: null };
  const location = await locate(target, { stateIsEnough: false }, context);
  const { config } = location;
  if (config === null) throw new Error("the config does not build");
  const workspace = {
    location,
    home: await openHome(location, context),
    cloud,
    zipFiles: new Map(),
  };
  const identity = await openStage(workspace, context);
  const desired = await desire(config, workspace, false, context);
  const seal = await workspace.home.sealer(location.app);
  const goal = { command: "deploy", desired, settings: config.app, identity, seal };
  const options = { allowDestroy: [], allowEmpty: false, lockTimeoutMs: 0 };
  const { changed } = await deployDesired(workspace, goal, options, context);
  return changed.applied?.status ?? "unchanged";
}

optimizeLater();
// As the command line does it: what a config left running does not keep the process alive.
void deploy().then((status) => process.stdout.write(status, () => process.exit()));
