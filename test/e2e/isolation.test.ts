import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeName } from "../../src/model/stage-key.ts";
import { makeProject, type Project } from "../support/project.ts";
import { realFolder } from "../support/reality.ts";
import { DATA_HANDLER, openData } from "../support/stage-data.ts";

const STAGES = ["Dev", "dev", "_fallback"] as const;

const FILES = {
  "scrim.config.ts": `/// <reference types="scrim/config" />
export default $config({
  app() {
    return { name: "apart", home: "local", removal: "remove" };
  },
  async run() {
    const token = new scrim.Secret("Token");
    const shared = new scrim.Secret("Shared");
    const files = new scrim.aws.Bucket("Files");
    const notes = new scrim.aws.Dynamo("Notes", {
      fields: { id: "string" },
      primaryIndex: { hashKey: "id" },
    });
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", { handler: "src/apart.get", link: [token, shared] });
    api.route("GET /data", { handler: "src/apart.data" });
    return { url: api.url, files: files.name, notes: notes.name };
  },
});
`,
  "src/apart.ts": `import { Resource } from "scrim";

export async function get() {
  console.log("asked in " + Resource.App.stage);
  return [Resource.App.stage, Resource.Token.value, Resource.Shared.value].join(" ");
}

${DATA_HANDLER}`,
};

interface Outputs {
  readonly url: string;
  readonly files: string;
  readonly notes: string;
}

describe("stages whose names differ in case only, and one called _fallback", () => {
  let project: Project;
  const outputs = new Map<string, Outputs>();

  beforeAll(async () => {
    project = makeProject(FILES);
    await succeed("secret", "set", "Shared", "common", "--fallback");
    for (const stage of STAGES) {
      await succeed("secret", "set", "Token", `token-of-${stage}`, "--stage", stage);
      const { stdout } = await succeed("deploy", "--stage", stage, "--json");
      outputs.set(stage, JSON.parse(stdout).outputs);
    }
  });
  afterAll(() => project.dispose());

  async function succeed(...args: readonly string[]) {
    const result = await project.scrim(args);
    if (result.exit !== 0) throw new Error(`${args[0]}: ${result.stdout}${result.stderr}`);
    return result;
  }

  const of = (stage: string): Outputs => {
    const found = outputs.get(stage);
    if (found === undefined) throw new Error(`${stage} was not deployed`);
    return found;
  };

  /** Everything that is kept of a stage, logs aside, as one hash. */
  function fingerprint(stage: string): string {
    const real = realFolder({ home: project.home, app: "apart", stage });
    const state = join(project.home, "state", encodeName("a", "apart"), encodeName("s", stage));
    const hash = createHash("sha256");
    for (const folder of [real, state]) {
      const names = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => !file.startsWith(join(real, "logs")))
        .sort();
      expect(names.length).toBeGreaterThan(2);
      for (const name of names) hash.update(`${name}\0`).update(readFileSync(name)).update("\0");
    }
    return hash.digest("hex");
  }

  it("have addresses, names of things and secrets of their own", async () => {
    for (const key of ["url", "files", "notes"] as const) {
      const values = STAGES.map((stage) => of(stage)[key]);
      expect(new Set(values.map((value) => value.toLowerCase())).size).toBe(STAGES.length);
    }
    for (const stage of STAGES) {
      const text = await (await fetch(of(stage).url)).text();
      expect(text).toBe(`${stage} token-of-${stage} common`);
    }
  });

  it("have data of their own, which the credentials of another do not open", async () => {
    for (const stage of STAGES) {
      const data = await openData(`${of(stage).url}/data`);
      await data.putItem(of(stage).notes, "who", stage);
      await data.putObject(of(stage).files, "who", new TextEncoder().encode(stage));
      expect(await data.names()).toEqual([
        `local:bucket ${of(stage).files}`,
        `local:table ${of(stage).notes}`,
      ]);
      for (const other of STAGES.filter((name) => name !== stage)) {
        await expect(data.getObject(of(other).files, "who")).rejects.toThrow();
        await expect(data.getItem(of(other).notes, "who")).rejects.toThrow();
      }
      data.close();
    }
  });

  it("have logs of their own", async () => {
    for (const stage of STAGES) {
      const { stdout } = await succeed("logs", "--stage", stage);
      const asked = [...stdout.matchAll(/asked in (\S+)/g)].map((match) => match[1]);
      expect([...new Set(asked)]).toEqual([stage]);
    }
  });

  it("are listed one by one", async () => {
    const { stdout } = await succeed("state", "list", "--json");
    const listed = JSON.parse(stdout).stages.map(({ stage }: { stage: string }) => stage);
    expect([...listed].sort()).toEqual([...STAGES].sort());
  });

  it("are untouched, byte for byte, when one of them is removed", async () => {
    for (const [index, removed] of STAGES.entries()) {
      const others = STAGES.slice(index + 1);
      const before = others.map(fingerprint);
      await succeed("remove", "--stage", removed);
      expect(others.map(fingerprint)).toEqual(before);
      await expect(fetch(of(removed).url)).rejects.toThrow();
      for (const stage of others) {
        expect(await (await fetch(of(stage).url)).text()).toBe(`${stage} token-of-${stage} common`);
        const data = await openData(`${of(stage).url}/data`);
        expect(await data.getItem(of(stage).notes, "who")).toBe(stage);
        expect(await data.getObject(of(stage).files, "who")).toEqual(
          new TextEncoder().encode(stage),
        );
        data.close();
      }
    }
    const { stdout } = await succeed("secret", "list", "--fallback", "--json");
    expect(JSON.parse(stdout).secrets).toMatchObject([{ name: "Shared" }]);
  });
});
