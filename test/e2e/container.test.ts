import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliFile } from "../support/cli.ts";
import { eventually, processesNaming } from "../support/processes.ts";
import { makeProject, type Project } from "../support/project.ts";
import { allowed } from "../support/require.ts";

/** As in a container, the command is process 1, and sees no process of outside. */
const CONTAINED = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];

const hasNamespaces = spawnSync("unshare", [...CONTAINED, "true"]).status === 0;

describe.skipIf(!allowed("making namespaces of processes (unshare)", hasNamespaces))(
  "a server that is process 1 of a container",
  () => {
    let project: Project;

    beforeAll(() => {
      project = makeProject();
    });
    afterAll(() => project.dispose());

    async function startContained() {
      const command = [process.execPath, cliFile, "local", "start", "--foreground"];
      const outside = spawn("unshare", [...CONTAINED, ...command], {
        env: { PATH: process.env["PATH"], ...project.env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let told = "";
      for (const stream of [outside.stdout, outside.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          told += text;
        });
      }
      const ended = once(outside, "exit");
      expect(await eventually(() => told.includes("serves")), told).toBe(true);
      return {
        end: async () => {
          // unshare itself would not hand the signal on.
          for (const child of childrenOf(outside.pid ?? 0)) process.kill(child, "SIGTERM");
          return (await ended)[0];
        },
      };
    }

    it("serves until it is told to end, leaves nothing, and begins again at once", async () => {
      const first = await startContained();
      const deployed = await project.scrim(["deploy", "--stage", "dev", "--json"]);
      expect(deployed, deployed.stderr).toMatchObject({ exit: 0 });
      const { url } = JSON.parse(deployed.stdout).outputs;
      expect(await (await fetch(url)).text()).toBe("hello");
      expect(await first.end()).toBe(0);
      expect(await eventually(() => processesNaming(project.home).length === 0)).toBe(true);

      const second = await startContained();
      expect(await (await fetch(url)).text()).toBe("hello");
      expect(await second.end()).toBe(0);
    });
  },
);

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}
