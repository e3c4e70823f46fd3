import type { JsonObject } from "../../../../model/json.ts";
import type { StageFolders } from "../../folders.ts";
import { functionArn, LOCAL_IDENTITY, LOCAL_TYPES } from "../../identity.ts";
import type { ApiRuntime, FunctionRuntime, StageRuntime } from "../../runner/protocol.ts";
import { type RecordKey, type ResourceRecord, recordKey } from "../registry/record.ts";
import type { StageCredentials } from "./access-keys.ts";
import type { CodeStore } from "./code-store.ts";
import type { LinkFiles } from "./link-files.ts";
import { parseApi, parseFunction, parseFunctionUrl, parseRoute } from "./specs.ts";
import { workerEnvironment } from "./worker-environment.ts";

export interface ComposeInput {
  readonly app: string;
  readonly stage: string;
  readonly stageKey: string;
  readonly folders: StageFolders;
  readonly code: CodeStore;
  readonly links: LinkFiles;
  readonly credentials: StageCredentials;
  readonly dataPort: number;
  /** The whole spec of a record, secrets in clear. Throws when it cannot be decrypted. */
  unseal(record: ResourceRecord): JsonObject;
}

export interface Composed {
  /** Revision 0; whoever applies it numbers it. */
  readonly runtime: StageRuntime;
  /** Why a recorded function cannot be served. */
  readonly problems: ReadonlyMap<RecordKey, string>;
}

/**
 * Puts a stage's records together to what its runner needs. A function that cannot run is left out
 * and named.
 */
export async function composeRuntime(
  records: readonly ResourceRecord[],
  input: ComposeInput,
): Promise<Composed> {
  const problems = new Map<RecordKey, string>();
  const functions: FunctionRuntime[] = [];
  const logicalNames = new Map<string, string>();
  for (const record of ofType(records, LOCAL_TYPES.function)) {
    const composed = await composeFunction(record, input);
    if (typeof composed === "string") problems.set(recordKey(record), composed);
    else {
      functions.push(composed);
      logicalNames.set(record.name, composed.name);
    }
  }
  const apis = [...composeApis(records, logicalNames), ...composeUrls(records, logicalNames)];
  return { runtime: { ...emptyRuntime(input), functions, apis }, problems };
}

function emptyRuntime(input: ComposeInput): StageRuntime {
  return {
    app: input.app,
    stage: input.stage,
    stageKey: input.stageKey,
    revision: 0,
    account: LOCAL_IDENTITY.account,
    region: LOCAL_IDENTITY.region,
    logsFolder: input.folders.logs,
    functions: [],
    apis: [],
  };
}

async function composeFunction(
  record: ResourceRecord,
  input: ComposeInput,
): Promise<FunctionRuntime | string> {
  let spec: JsonObject;
  try {
    spec = input.unseal(record);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const resource = parseFunction(spec);
  if (!(await input.code.has(resource.bundle))) return "its code is missing";
  const codeFolder = input.code.folderOf(resource.bundle);
  const links = await input.links.place(record.name, record.sealed ?? "", {
    ...resource.links,
    App: { name: input.app, stage: input.stage },
  });
  return {
    name: resource.name,
    physicalName: record.name,
    arn: functionArn(record.name),
    codeFolder,
    handler: resource.handler,
    timeoutMs: resource.timeoutMs,
    memoryMb: resource.memoryMb,
    concurrency: resource.concurrency,
    environment: workerEnvironment({
      app: input.app,
      stage: input.stage,
      function: resource,
      physicalName: record.name,
      codeFolder,
      credentials: input.credentials,
      dataPort: input.dataPort,
      links,
    }),
  };
}

function composeApis(
  records: readonly ResourceRecord[],
  functions: ReadonlyMap<string, string>,
): ApiRuntime[] {
  const routes = ofType(records, LOCAL_TYPES.route).map((record) => parseRoute(record.spec));
  return ofType(records, LOCAL_TYPES.api).map((record) => {
    const id = String(record.outputs["id"]);
    const { name, cors } = parseApi(record.spec);
    const own = routes.flatMap((route) => {
      const target = functions.get(route.function);
      return route.api !== id || target === undefined
        ? []
        : [{ routeKey: route.routeKey, function: target }];
    });
    return { id, name, kind: "http-api", port: portOf(record), cors, routes: own };
  });
}

function composeUrls(
  records: readonly ResourceRecord[],
  functions: ReadonlyMap<string, string>,
): ApiRuntime[] {
  return ofType(records, LOCAL_TYPES.functionUrl).map((record) => {
    const { name, cors, function: physicalName } = parseFunctionUrl(record.spec);
    const target = functions.get(physicalName);
    const routes = target === undefined ? [] : [{ routeKey: "$default", function: target }];
    const id = String(record.outputs["id"]);
    return { id, name, kind: "function-url", port: portOf(record), cors, routes };
  });
}

/** In order of their names, so that the same records give the same runtime. */
function ofType(records: readonly ResourceRecord[], type: string): readonly ResourceRecord[] {
  return records
    .filter((record) => record.type === type)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function portOf(record: ResourceRecord): number {
  if (record.port === null) throw new Error(`${recordKey(record)} has no port`);
  return record.port;
}
