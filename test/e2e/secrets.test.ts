import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../support/cli.ts";
import { eventually, isRunning } from "../support/processes.ts";
import { appConfig, makeProject, type Project } from "../support/project.ts";
import { serverOf } from "../support/reality.ts";
import {
  descendantsOf,
  fingerprint,
  spellingsOf,
  textsIn,
  textsOfProcesses,
  tracesIn,
} from "../support/traces.ts";

/** Characters that JSON, URLs, shells and base64 each write in their own way. */
const sentinel = (name: string): string =>
  `${name}-${randomBytes(18).toString("base64")}"\\&+/ \u00fc\u00df`;

const OWN = sentinel("own");
const CHANGED = sentinel("changed");
const FALLBACK = sentinel("fallback");

const RUN = `const token = new scrim.Secret("Token");
    const plain = new scrim.Secret("Plain", "a placeholder");
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", {
      handler: "src/secret.get",
      link: [token],
      environment: { TOKEN: token.value, HEADER: $interpolate\`Bearer \${token.value}\` },
    });
    api.route("GET /fail", { handler: "src/secret.fail", link: [token] });
    api.route("GET /crash", { handler: "src/secret.crash", link: [token] });
    return { url: api.url, token: token.value, header: $interpolate\`Bearer \${token.value}\`, plain: plain.value };`;

const HANDLER = `import { createHash } from "node:crypto";
import { Resource } from "scrim";
const fingerprint = (text: string) =>
  createHash("sha256").update(text).digest("hex").slice(0, 16);
const { Token } = Resource as unknown as { Token: { value: string } };
export async function get() {
  const { TOKEN = "", HEADER = "" } = process.env;
  const found = [Token.value, TOKEN, HEADER.slice("Bearer ".length)];
  return { statusCode: 200, body: JSON.stringify(found.map(fingerprint)) };
}
export async function fail() {
  throw new Error("failed on purpose");
}
export async function crash() {
  process.kill(process.pid, "SIGSEGV");
  await new Promise(() => {});
}
`;

describe("a secret", () => {
  let project: Project;
  /** All that was ever printed. */
  const printed = new Map<string, Buffer>();
  const run = async (...args: readonly string[]): Promise<CliResult> => {
    const result = await project.scrim(args);
    const name = `${printed.size} scrim ${args.join(" ")}`;
    printed.set(name, Buffer.from(`${result.stdout}\n${result.stderr}`));
    return result;
  };
  const setThroughInput = async (value: string, ...to: readonly string[]): Promise<void> => {
    const args = ["secret", "set", "Token", ...to];
    const { exit, stdout, stderr } = await project.scrim(args, { input: `${value}\n` });
    printed.set(`${printed.size} scrim ${args.join(" ")}`, Buffer.from(stdout + stderr));
    expect(exit).toBe(0);
  };
  const urlOf = async (stage: string): Promise<string> => {
    const { stdout } = await run("outputs", "--stage", stage, "--json");
    return JSON.parse(stdout).outputs.url;
  };
  const seenBy = async (stage: string): Promise<unknown> =>
    (await fetch(await urlOf(stage))).json();
  const staleOf = async (): Promise<Record<string, boolean>> => {
    const { stdout } = await run("state", "list", "--json");
    const stages = JSON.parse(stdout).stages as { stage: string; staleSecrets: boolean }[];
    return Object.fromEntries(stages.map(({ stage, staleSecrets }) => [stage, staleSecrets]));
  };

  beforeAll(() => {
    project = makeProject({ "scrim.config.ts": appConfig({ run: RUN }), "src/secret.ts": HANDLER });
  });
  afterAll(() => project.dispose());

  it("would be found in every spelling", () => {
    const secret = sentinel("found");
    const bytes = Buffer.from(secret);
    const written = [
      JSON.stringify({ secret }),
      Buffer.concat([Buffer.from("x"), bytes, Buffer.from("yz")]).toString("base64"),
      Buffer.concat([Buffer.from("xy"), bytes]).toString("base64url"),
      bytes.toString("hex"),
      encodeURIComponent(secret),
      JSON.stringify(JSON.stringify(secret)),
    ];
    const texts = new Map(written.map((text, index) => [String(index), Buffer.from(text)]));
    expect(tracesIn(texts, secret)).toHaveLength(written.length);
    expect(spellingsOf(secret).every((spelling) => spelling.length > 20)).toBe(true);
  });

  it("that is the stage's own overrides the fallback, which all other stages use", async () => {
    await setThroughInput(OWN, "--stage", "own");
    await setThroughInput(FALLBACK, "--fallback");
    for (const stage of ["own", "other"]) {
      expect(await run("deploy", "--stage", stage, "--verbose")).toMatchObject({ exit: 0 });
    }
    expect(await seenBy("own")).toEqual(Array(3).fill(fingerprint(OWN)));
    expect(await seenBy("other")).toEqual(Array(3).fill(fingerprint(FALLBACK)));
  });

  it("that was changed marks the stages that still have the old value", async () => {
    expect(await staleOf()).toEqual({ other: false, own: false });
    await setThroughInput(CHANGED, "--stage", "own");
    expect(await staleOf()).toEqual({ other: false, own: true });
    expect((await run("state", "list")).stdout).toMatch(/own .*secrets/);
    expect(await seenBy("own")).toEqual(Array(3).fill(fingerprint(OWN)));
    const diff = await run("diff", "--stage", "own", "--exit-code");
    expect(diff).toMatchObject({ exit: 10 });
    await run("diff", "--stage", "own", "--json");
    expect(await run("deploy", "--stage", "own", "--json")).toMatchObject({ exit: 0 });
    expect(await seenBy("own")).toEqual(Array(3).fill(fingerprint(CHANGED)));
    expect(await staleOf()).toEqual({ other: false, own: false });
  });

  it("is masked in outputs, and what is no secret is not", async () => {
    const file = readFileSync(join(project.folder, ".scrim/outputs.json"), "utf8");
    expect(JSON.parse(file).url).toMatch(/^http/);
    expect(fingerprint(JSON.parse(file).token)).not.toBe(fingerprint(CHANGED));
    const { stdout } = await run("outputs", "--stage", "own");
    expect(stdout).toContain("token");
  });

  it("stands in no answer of any command", async () => {
    for (const args of [
      ["state", "show", "--stage", "own"],
      ["state", "show", "--stage", "own", "--json"],
      ["state", "export", "--stage", "own"],
      ["state", "history", "--stage", "own"],
      ["secret", "list", "--stage", "own"],
      ["secret", "list", "--stage", "own", "--json"],
      ["outputs", "--stage", "own", "--json"],
      ["refresh", "--stage", "own", "--json"],
      ["local", "status", "--json"],
      ["env", "--explain", "--stage", "own"],
      ["logs", "--stage", "own"],
    ]) {
      const { exit, stderr } = await run(...args);
      expect(exit, `${args.join(" ")}: ${stderr}`).toBe(0);
    }
  });

  it("stands in no error, also where a callback quotes it", async () => {
    const quoting = RUN.replace(
      "return {",
      "return { quoted: token.value.apply((value) => { throw new Error(value); }),",
    );
    const config = join(project.folder, "quoting.config.ts");
    project.write("quoting.config.ts", appConfig({ run: quoting }));
    const { exit } = await run("deploy", "--stage", "own", "--config", config, "--verbose");
    expect(exit).not.toBe(0);
    await run("deploy", "--stage", "own", "--config", config, "--json");
  });

  it("is in no report of a crash", async () => {
    const url = await urlOf("own");
    expect((await fetch(new URL("/fail", url))).status).toBe(500);
    const crashed = await fetch(new URL("/crash", url)).then(
      ({ status }) => status,
      () => 502,
    );
    expect(crashed).toBeGreaterThanOrEqual(500);
    await eventually(async () => (await fetch(url).catch(() => null))?.status === 200);
    expect(await seenBy("own")).toEqual(Array(3).fill(fingerprint(CHANGED)));
  });

  it("is in no file and in no environment or command line of any process", async () => {
    const { pid } = await serverOf(project.home);
    const pids = [pid, ...descendantsOf(pid)];
    expect(pids.filter(isRunning).length).toBeGreaterThanOrEqual(2);
    const processes = textsOfProcesses(pids);
    expect(processes.size).toBeGreaterThanOrEqual(4);
    const files = textsIn(dirname(project.home));
    expect([...files.keys()].some((name) => name.endsWith("server.log"))).toBe(true);
    expect([...files.keys()].some((name) => name.includes("registry"))).toBe(true);
    for (const secret of [OWN, CHANGED, FALLBACK]) {
      expect(tracesIn(processes, secret)).toEqual([]);
      expect(tracesIn(files, secret)).toEqual([]);
      expect(tracesIn(printed, secret)).toEqual([]);
    }
  });

  it("is gone with the stage", async () => {
    await run("remove", "--stage", "own");
    const { stdout } = await run("secret", "list", "--stage", "own", "--json");
    expect(JSON.parse(stdout).secrets).toMatchObject([{ name: "Token", source: "fallback" }]);
  });
});
