import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CliProcess, CliResult } from "../../support/cli.ts";
import { eventually, isStopped } from "../../support/processes.ts";
import { makeProject, type Project } from "../../support/project.ts";
import type { StageOfHome } from "../../support/reality.ts";
import { OPERATIONS, type Operation, VERSIONS } from "./ten-resources.ts";
import { assertNothingLeft, assertSound } from "./verdict.ts";

/** At which moment each operation is killed; one that is left out is not. */
export type Kills = Partial<Record<Operation, number>>;

/** What became of one operation that was to be killed. */
export interface Killed {
  readonly operation: Operation;
  readonly wanted: number;
  /** The moment, in words; null when the operation ended before that moment came. */
  readonly at: string | null;
}

/** The file that signals a process at a moment of a command's run; for Node's `--import`. */
export const KILL_PRELOAD: string = fileURLToPath(new URL("./kill-at.mjs", import.meta.url));
const STAGE = "Alice";

/** Starts a command that stops, as a suspended laptop does, at the moment whose label begins so. */
export async function startPaused(
  project: Project,
  args: readonly string[],
  moment: string,
): Promise<CliProcess> {
  const env = { SCRIM_TEST_KILL_AT: moment, SCRIM_TEST_KILL_SIGNAL: "SIGSTOP" };
  const nodeFlags = ["--import", KILL_PRELOAD];
  const process = project.start(args, { nodeFlags, env, timeoutMs: 150_000 });
  const isPaused = (): boolean =>
    process.output().stderr.includes("SIGSTOP at") && isStopped(process.pid);
  if (await eventually(isPaused)) return process;
  process.kill("SIGKILL");
  throw new Error(`never paused: ${JSON.stringify(process.output())}`);
}

/**
 * One stage from its first deploy to its removal. Each operation is killed, run once more as it was, and must then be
 * as if nothing had happened; the first one finds an empty home and starts the server.
 *
 * @throws Error naming the operation, the moment and what was wrong
 */
export async function liveThrough(kills: Kills): Promise<readonly Killed[]> {
  const project = makeProject({});
  const killed: Killed[] = [];
  try {
    for (const operation of OPERATIONS) {
      const wanted = kills[operation] ?? 0;
      if (operation !== "remove") writeAll(project, VERSIONS[operation].files);
      const at = wanted === 0 ? null : await killedAt(project, operation, wanted);
      if (wanted !== 0) killed.push({ operation, wanted, at });
      try {
        await finish(project, operation);
      } catch (error) {
        throw new Error(`${operation}, ${at ?? `not killed at ${wanted}`}`, { cause: error });
      }
    }
    return killed;
  } finally {
    await project.dispose();
  }
}

/** The moments of every operation when none is killed. */
export async function countMoments(): Promise<Readonly<Record<Operation, readonly string[]>>> {
  const project = makeProject({});
  const moments: Record<Operation, readonly string[]> = {
    ...{ create: [], update: [], replace: [], remove: [] },
  };
  try {
    for (const operation of OPERATIONS) {
      if (operation !== "remove") writeAll(project, VERSIONS[operation].files);
      const trace = join(project.home, "..", `${operation}.trace`);
      const result = await run(project, operation, { SCRIM_TEST_KILL_TRACE: trace });
      succeeded(result);
      moments[operation] = readFileSync(trace, "utf8").trimEnd().split("\n");
    }
    return moments;
  } finally {
    await project.dispose();
  }
}

async function killedAt(
  project: Project,
  operation: Operation,
  moment: number,
): Promise<string | null> {
  const result = await run(project, operation, { SCRIM_TEST_KILL_AT: String(moment) });
  if (result.exit === "SIGKILL") return /^SIGKILL at .*$/m.exec(result.stderr)?.[0] ?? null;
  succeeded(result);
  return null;
}

function run(project: Project, operation: Operation, env: Record<string, string>) {
  return project.start(argumentsOf(operation), { nodeFlags: ["--import", KILL_PRELOAD], env })
    .result;
}

function argumentsOf(operation: Operation): readonly string[] {
  return [operation === "remove" ? "remove" : "deploy", "--stage", STAGE];
}

/** The one plain rerun, and then everything that must be so. */
async function finish(project: Project, operation: Operation): Promise<void> {
  succeeded(await project.scrim(argumentsOf(operation)));
  const stage: StageOfHome = { home: project.home, app: "ten", stage: STAGE };
  if (operation === "remove") {
    await assertNothingLeft(stage, [...portsOf(project)]);
    return;
  }
  const { answer } = VERSIONS[operation];
  const outputs = outputsOf(project);
  const serial = await assertSound(stage, { answer, ...outputs });
  const again = await project.scrim([...argumentsOf(operation), "--json"]);
  succeeded(again);
  const { status, serial: serialAgain } = JSON.parse(again.stdout);
  if (status !== "unchanged" || serialAgain !== serial) {
    throw new Error(`a second rerun is ${status}, serial ${serial} became ${serialAgain}`);
  }
}

function portsOf(project: Project): Set<number> {
  return new Set(Object.values(outputsOf(project)).map((url) => Number(new URL(url).port)));
}

function outputsOf(project: Project): { readonly url: string; readonly job: string } {
  const file = join(project.folder, ".scrim/outputs.json");
  if (!existsSync(file)) throw new Error(`no outputs among ${readdirSync(project.folder)}`);
  return JSON.parse(readFileSync(file, "utf8"));
}

function writeAll(project: Project, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) project.write(file, text);
}

function succeeded({ exit, stdout, stderr }: CliResult): void {
  if (exit !== 0) throw new Error(`exit ${exit}\n${stdout}${stderr}`);
}
