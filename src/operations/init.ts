import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONFIG_NAMES } from "../config/find.ts";
import { loadApp } from "../config/load.ts";
import { SCRIM_ENV_FILE, writeScrimEnv } from "../config/scrim-env.ts";
import { EXIT, fail } from "../model/diagnostic.ts";
import { chooseAppName } from "./app-name.ts";
import type { OperationContext } from "./context.ts";
import {
  configText,
  GITIGNORE_TEXT,
  HANDLER_TEXT,
  tsconfigText,
  withIgnoredFolder,
} from "./init-files.ts";

export interface Initialized {
  readonly folder: string;
  readonly app: string;
  /** Files that were made, relative to the folder. */
  readonly created: readonly string[];
  /** Files that were there and got an addition. */
  readonly changed: readonly string[];
  /** Files that were there and were left as they are. */
  readonly left: readonly string[];
  /** The first route's source. */
  readonly handlerFile: string;
  /** Packages that are not installed in the project yet. */
  readonly missing: readonly string[];
  readonly hasPackageFile: boolean;
}

/** Where the first route may go; the first name that is free is taken. */
const HANDLERS = ["hello", "scrim-hello", "first-route"];

/**
 * Makes a project of the folder that the command is in: config, first route, types. Overwrites nothing. Interrupted,
 * it can be run again, since the config is written last.
 *
 * @param name the app's; null to take it from package.json or the folder, after asking where there is somebody to ask
 * @throws DiagnosticError `CONFIG_EXISTS`, `APP_NAME_INVALID` (exit 2), `PROJECT_UNWRITABLE` (1)
 */
export async function init(
  name: string | null,
  options: { readonly confirmed: boolean },
  context: OperationContext,
): Promise<Initialized> {
  const folder = context.cwd;
  const present = CONFIG_NAMES.find((file) => existsSync(join(folder, file)));
  if (present !== undefined) throw configExists(folder, present);
  const app = await chooseAppName(name, folder, options.confirmed ? null : context.ask);
  const files = writeFiles(folder, app);
  const typesFile = await writeTypes(folder, context);
  return {
    folder,
    app,
    ...files,
    created: typesFile === null ? files.created : [...files.created, typesFile],
    missing: ["scrim", "typescript"].filter((each) => !isInstalled(folder, each)),
    hasPackageFile: existsSync(join(folder, "package.json")),
  };
}

type Written = Pick<Initialized, "created" | "changed" | "left" | "handlerFile">;

function writeFiles(folder: string, app: string): Written {
  const created: string[] = [];
  const changed: string[] = [];
  const left: string[] = [];
  const write = (file: string, text: string): void => {
    (create(join(folder, file), text) ? created : left).push(file);
  };
  try {
    const handler = freeHandler(folder);
    const handlerFile = `src/${handler}.ts`;
    write(handlerFile, HANDLER_TEXT);
    write("tsconfig.json", tsconfigText(isInstalled(folder, "@types/node")));
    if (create(join(folder, ".gitignore"), GITIGNORE_TEXT)) created.push(".gitignore");
    else (ignoreFolder(folder) ? changed : left).push(".gitignore");
    write("scrim.config.ts", configText(app, `src/${handler}.get`));
    return { created, changed, left, handlerFile };
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** Another file of that name may export something else; ours of an earlier run is used again. */
function freeHandler(folder: string): string {
  const free = HANDLERS.find((name) => {
    const text = readText(join(folder, "src", `${name}.ts`));
    return text === null || text === HANDLER_TEXT;
  });
  return free ?? "hello";
}

/** False when there is something of that name already. */
function create(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function ignoreFolder(folder: string): boolean {
  const file = join(folder, ".gitignore");
  const text = withIgnoredFolder(readText(file) ?? "");
  if (text === null) return false;
  writeFileSync(file, text);
  return true;
}

/** `scrim-env.d.ts` of the config just written, so that an editor knows `Resource` at once. */
async function writeTypes(folder: string, { env }: OperationContext): Promise<string | null> {
  const given = Object.entries(env).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  const config = await loadApp({
    configFile: join(folder, "scrim.config.ts"),
    stage: "init",
    env: Object.fromEntries(given),
  });
  const { nodes } = await config.evaluate();
  return writeScrimEnv(folder, nodes) ? SCRIM_ENV_FILE : null;
}

/** Also where a workspace keeps its packages in a folder above. */
function isInstalled(folder: string, name: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "node_modules", name, "package.json"))) return true;
    if (at === dirname(at)) return false;
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function configExists(folder: string, file: string): Error {
  return fail("CONFIG_EXISTS", `There is a ${file} in ${folder} already`, {
    why: "This folder is a project, and nothing in it is overwritten.",
    hint: "Run scrim deploy, or scrim init in another folder.",
  });
}

function unwritable(folder: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  return fail("PROJECT_UNWRITABLE", `The files of the project cannot be written to ${folder}`, {
    why: `The operating system says ${code}.`,
    hint: "Check the rights of the folder and the room on its disk, then run the command again.",
    exit: EXIT.failed,
  });
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}
