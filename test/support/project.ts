import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type CliOptions,
  type CliProcess,
  type CliResult,
  endServer,
  scrim,
  startScrim,
} from "./cli.ts";
import { root } from "./root.ts";

/** What projects import as `scrim`: this repository; `SCRIM_TEST_PACKAGE` names the folder of another build. */
export const packageFolder: string = process.env["SCRIM_TEST_PACKAGE"] ?? root;

/** A project in a temp folder with a home and keys of its own. */
export interface Project {
  readonly folder: string;
  readonly home: string;
  readonly keys: string;
  /** `SCRIM_HOME` and `SCRIM_KEY_DIR` of this project. */
  readonly env: Readonly<Record<string, string>>;
  write(file: string, content: string | Uint8Array): void;
  scrim(args: readonly string[], options?: Partial<CliOptions>): Promise<CliResult>;
  start(args: readonly string[], options?: Partial<CliOptions>): CliProcess;
  /** Ends the home's server and deletes everything. */
  dispose(): Promise<void>;
}

/** The text of a config; `app` are members of what `app()` returns, which win over those that work. */
export function appConfig(parts: { readonly app?: string; readonly run?: string } = {}): string {
  return `/// <reference types="scrim/config" />
export default $config({
  app(input) {
    return { name: "hello", home: "local", removal: "remove", ${parts.app ?? ""} };
  },
  async run() {
    ${parts.run ?? ""}
  },
});
`;
}

/** The smallest app that answers: `GET /` of an API. */
export const HELLO: Readonly<Record<string, string>> = {
  "scrim.config.ts": `/// <reference types="scrim/config" />
export default $config({
  app() {
    return { name: "hello", home: "local", removal: "remove" };
  },
  async run() {
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", "src/hello.get");
    return { url: api.url };
  },
});
`,
  "src/hello.ts": `export async function get() {
  return { statusCode: 200, body: "hello" };
}
`,
};

/** Makes a project from its files; `scrim` is linked to this repository. */
export function makeProject(files: Readonly<Record<string, string | Uint8Array>> = HELLO): Project {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "scrim-e2e-")));
  const folder = join(base, "project");
  const home = join(base, "home");
  const keys = join(base, "keys");
  const env = { SCRIM_HOME: home, SCRIM_KEY_DIR: keys };
  const write = (file: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(packageFolder, join(folder, "node_modules/scrim"), "dir");
  for (const [file, text] of Object.entries(files)) write(file, text);
  const options = (given: Partial<CliOptions> = {}): CliOptions => ({
    cwd: folder,
    ...given,
    env: { ...env, ...given.env },
  });
  return {
    folder,
    home,
    keys,
    env,
    write,
    scrim: (args, given) => scrim(args, options(given)),
    start: (args, given) => startScrim(args, options(given)),
    dispose: async () => {
      await endServer(home);
      rmSync(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
