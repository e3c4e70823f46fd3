import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { memoryOf } from "../measure/memory.mjs";
import { paired } from "../measure/paired.mjs";
import { runProcess } from "../measure/run-process.mjs";
import { config, makeProject } from "../project.mjs";
import { atLeast, atMost } from "../row.mjs";

const LOAD = fileURLToPath(new URL("../measure/load.mjs", import.meta.url));
const FLOOR = fileURLToPath(new URL("../floors/http.mjs", import.meta.url));
const REQUESTS = 10_000;

/** How fast the local API answers, and whether it keeps its memory to itself while it does. */
export async function gatewayRows() {
  const project = makeProject({
    "scrim.config.ts": config(`
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", "src/hello.get");
    return { url: api.url };`),
    "src/hello.ts": `export async function get() {
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: '{"message":"hello"}' };
}\n`,
  });
  const floor = fork(FLOOR);
  try {
    await project.scrim("deploy", "--stage", "bench");
    const port = await new Promise((resolve) => floor.once("message", resolve));
    const { url } = project.outputs();
    const { ratio } = await paired(
      5,
      () => requestsPerSecond(url),
      () => requestsPerSecond(`http://127.0.0.1:${port}/`),
      (perSecond) => perSecond,
    );
    const speed = atLeast("local API, GET through a worker", ratio, "x bare node:http", 0.28);
    return [speed, ...(await memoryRow(url, project.serverPid()))];
  } finally {
    floor.disconnect();
    await project.dispose();
  }
}

async function requestsPerSecond(url) {
  const { stdout } = await runProcess([LOAD, url, String(REQUESTS)]);
  return (REQUESTS / Number(stdout)) * 1000;
}

/** Ten times 10,000 requests; the first tenth is for warming up. */
async function memoryRow(url, serverPid) {
  if (!existsSync("/proc/self/status")) return [];
  const megabytes = [];
  for (let tenth = 0; tenth < 10; tenth += 1) {
    await requestsPerSecond(url);
    megabytes.push(memoryOf(serverPid));
  }
  const growth = megabytes[9] / megabytes[1];
  return [atMost("memory in the last tenth of 100,000 requests", growth, "x second tenth", 1.1)];
}
