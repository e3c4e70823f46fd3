import { existsSync } from "node:fs";
import { Agent, get } from "node:http";
import { memoryOf } from "../measure/memory.mjs";
import { median } from "../measure/paired.mjs";
import { config, makeProject } from "../project.mjs";
import { atMost } from "../row.mjs";

const TRIVIAL_SAVES = 200;
const LARGE_SAVES = 15;
const LARGE_BYTES = 800_000;
const READY_TIMEOUT_MS = 30_000;
const SAVE_TIMEOUT_MS = 10_000;

/** How long after a save the new code answers under `scrim dev`, and what 200 saves leave in memory. */
export async function devRows() {
  const project = makeProject({
    "scrim.config.ts": config(`
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /small", "src/small.get");
    api.route("GET /large", "src/large.get");
    return { url: api.url };`),
    "src/small.ts": handler("0"),
    "src/large.ts": `import { table } from "./table.ts";\n${handler("0")}export const kept = table;\n`,
    "src/table.ts": table(),
  });
  const dev = project.start("dev", "--stage", "bench");
  try {
    await ready(dev);
    const { url } = project.outputs();
    const rss = [];
    const small = await saves(TRIVIAL_SAVES, async (at) => {
      const tookMs = await save(project, url, { file: "small", text: handler(`small ${at}`), at });
      rss.push(memoryOf(project.serverPid()));
      return tookMs;
    });
    const large = await saves(LARGE_SAVES, (at) => {
      const text = `import { table } from "./table.ts";\n${handler(`large ${at}`)}export const kept = table;\n`;
      return save(project, url, { file: "large", text, at });
    });
    const rows = [
      atMost("save to new response, trivial handler", median(small), "ms", 60),
      atMost("save to new response, 800 kB bundle", median(large), "ms", 200),
    ];
    if (!existsSync("/proc/self/status")) return rows;
    return [...rows, memoryRow(rss)];
  } finally {
    dev.kill("SIGINT");
    await new Promise((resolve) => dev.once("close", resolve));
    await project.dispose();
  }
}

/** Medians of tenths: for a moment during each reload the old worker and the new one are both there. */
function memoryRow(megabytes) {
  const tenth = megabytes.length / 10;
  const [second, last] = [1, 9].map((at) => median(megabytes.slice(at * tenth, (at + 1) * tenth)));
  return atMost("memory in the last tenth of 200 reloads", last / second, "x second tenth", 1.1);
}

function handler(body) {
  return `export async function get() { return { statusCode: 200, body: "${body}" }; }\n`;
}

/** A module of many small functions, as bundled libraries are. */
function table() {
  const lines = [];
  for (let bytes = 0, at = 0; bytes < LARGE_BYTES; at += 1) {
    const line = `  f${at}: (left: number, right: number) => ({ sum: left + right, name: "function ${at}" }),`;
    lines.push(line);
    bytes += line.length;
  }
  return `export const table = {\n${lines.join("\n")}\n};\n`;
}

async function saves(count, each) {
  const took = [];
  for (let at = 1; at <= count; at += 1) took.push(await each(at));
  return took;
}

/** Saves a handler and asks until the new one answers; milliseconds. */
async function save(project, url, { file, text, at }) {
  const expected = `${file} ${at}`;
  const began = performance.now();
  project.write(`src/${file}.ts`, text);
  for (;;) {
    const body = await answer(`${url.replace(/\/$/, "")}/${file}`);
    const tookMs = performance.now() - began;
    if (body === expected) return tookMs;
    if (tookMs > SAVE_TIMEOUT_MS) throw new Error(`${expected} never came, but ${body}`);
    // Asking without a pause would take the machine away from what is measured.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const agent = new Agent({ keepAlive: true });

function answer(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        body += part;
      });
      response.on("end", () => resolve(body));
    }).on("error", reject);
  });
}

function ready(dev) {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(
      () => reject(new Error(`dev did not start: ${said}`)),
      READY_TIMEOUT_MS,
    );
    dev.stdout.setEncoding("utf8");
    dev.stdout.on("data", (text) => {
      said += text;
      if (!said.includes("Watching for changes")) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
