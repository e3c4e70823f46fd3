import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleDeploy } from "../engine/bundle-deploy.mjs";
import { paired } from "../measure/paired.mjs";
import { runProcess } from "../measure/run-process.mjs";
import { config, makeProject, root } from "../project.mjs";
import { atMost } from "../row.mjs";

const RESOURCES = 5_000;
const CONFIG = config(
  `    for (let at = 0; at < ${RESOURCES}; at += 1) new scrim.aws.Bucket(\`Bucket\${at}\`);`,
);

/** What a deploy costs beside its cloud: config, plan, apply and log of 5,000 resources of a cloud that does nothing. */
export async function deployRows() {
  const folder = join(root, ".cache/bench");
  mkdirSync(folder, { recursive: true });
  const entry = await bundleDeploy(folder);
  const project = makeProject({ "scrim.config.ts": CONFIG });
  try {
    return [await noop(project, entry), await first(project, entry)];
  } finally {
    await project.dispose();
  }
}

async function noop({ folder, home, env }, entry) {
  const deploy = () => runProcess([entry], { cwd: folder, env });
  await deploy();
  const snapshot = snapshotIn(home);
  const { ratio } = await paired(
    5,
    deploy,
    () => runProcess([floor("plan.mjs"), snapshot, String(RESOURCES)]),
    (run) => run.cpuMs,
  );
  return atMost("deploy of 5,000 unchanged resources, CPU", ratio, "x plan floor", 2.5);
}

async function first({ folder, env }, entry) {
  const deploy = () =>
    inNewFolder((home) =>
      runProcess([entry], { cwd: folder, env: { ...env, SCRIM_HOME: join(home, "home") } }),
    );
  const { ratio } = await paired(
    3,
    deploy,
    () => inNewFolder((place) => runProcess([floor("journal.mjs"), place, String(RESOURCES)])),
    (run) => run.cpuMs,
  );
  return atMost("first deploy of 5,000 resources, CPU", ratio, "x journal floor", 6);
}

function floor(name) {
  return fileURLToPath(new URL(`../floors/${name}`, import.meta.url));
}

function snapshotIn(home) {
  const files = readdirSync(home, { recursive: true, encoding: "utf8" });
  const [found] = files.filter((file) => /[/\\]snap[/\\]\d/.test(file));
  if (found === undefined) throw new Error("the deploy left no snapshot");
  return join(home, found);
}

async function inNewFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "scrim-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
