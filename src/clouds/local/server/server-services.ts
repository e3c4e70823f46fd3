import type { ServerStatus } from "../control-api.ts";
import type { LocalFolders } from "../folders.ts";
import { LOCAL_IDENTITY, LOCAL_TYPES } from "../identity.ts";
import { recordedDataPort } from "./data-port.ts";
import { createPortBook } from "./ports.ts";
import { keyFileOf } from "./registry/key-file.ts";
import { openServerSealing } from "./registry/server-sealing.ts";
import { accessKeyIdOf, credentialsOf } from "./resources/access-keys.ts";
import type { DataServices } from "./resources/data-services.ts";
import { openStageResources, type StageResources } from "./resources/stage-resources.ts";
import type { ServerOptions } from "./server-options.ts";
import { openStages, type Stages } from "./stage-registry.ts";

/** All that the server of a home serves. */
export interface ServerServices {
  readonly stages: Stages;
  /** Makes every stage answer; one that cannot is logged and does not hold up the others. */
  wakeAll(): Promise<void>;
  status(): ServerStatus["stages"];
  /** Null before a stage first needed the data services. */
  dataPort(): number | null;
  /** Resources of all stages together. */
  resources(): number;
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Stages that are woken at the same time at the start. */
const WAKE_CONCURRENCY = 8;

export async function openServices(
  options: ServerOptions,
  folders: LocalFolders,
): Promise<ServerServices> {
  const { sealing, accessKey } = await openServerSealing(
    keyFileOf(options.homeId, options.env),
    folders,
  );
  const ports = createPortBook();
  const host = options.createStageHost(options.log);
  const data = lazyDataServices(options, folders, ports, accessKey, () => stages.all());
  const stages: Stages = await openStages({
    folders,
    openStage: (stageKey, names) =>
      openStageResources({
        ...names,
        stageKey,
        homeId: options.homeId,
        folders: folders.stage(stageKey),
        credentials: credentialsOf(stageKey, accessKey),
        host,
        ports,
        clock: options.clock,
        sealLinks: options.sealLinks,
        log: options.log,
        services: data.start,
        sealing,
      }),
    stopStage: async (stageKey) => {
      await host.remove(stageKey);
      await data.started()?.removeStage(stageKey);
    },
    log: options.log,
  });
  return {
    stages,
    wakeAll: () => wakeAll(stages, options),
    status: () => statusOf(stages, host.status()),
    dataPort: () => data.started()?.port ?? null,
    resources: () => [...stages.all().values()].reduce((sum, stage) => sum + stage.count(), 0),
    sweep: async () => {
      for (const stage of stages.all().values()) await stage.sweep();
    },
    close: async () => {
      await stages.settle();
      await host.close();
      await data.started()?.close();
    },
  };
}

/** The data services, started when a stage first needs them. */
function lazyDataServices(
  options: ServerOptions,
  folders: LocalFolders,
  ports: ReturnType<typeof createPortBook>,
  accessKey: Buffer,
  stages: () => ReadonlyMap<string, StageResources>,
) {
  let starting: Promise<DataServices> | null = null;
  let started: DataServices | null = null;

  function resolveAccessKey(accessKeyId: string) {
    for (const stageKey of stages().keys()) {
      if (accessKeyIdOf(stageKey) !== accessKeyId) continue;
      return { stageKey, secret: credentialsOf(stageKey, accessKey).secretAccessKey };
    }
    return null;
  }

  function stageOfBucket(name: string): string | null {
    const bucket = { type: LOCAL_TYPES.bucket, name };
    const owner = [...stages()].find(([, stage]) => stage.has(bucket));
    return owner?.[0] ?? null;
  }

  function stageOfOutput(type: string, id: string): string | null {
    const owner = [...stages()].find(([, stage]) => stage.hasOutput(type, "id", id));
    return owner?.[0] ?? null;
  }

  async function startOnce(): Promise<DataServices> {
    const port = await recordedDataPort(folders.dataPort, ports, options.homeId, options.log);
    const services = await options.createDataServices({
      resolveAccessKey,
      stageOfBucket,
      stageOfPool: (id) => stageOfOutput(LOCAL_TYPES.userPool, id),
      stageOfPoolClient: (id) => stageOfOutput(LOCAL_TYPES.userPoolClient, id),
      folderOf: (stageKey) => folders.stage(stageKey).root,
      logsFolderOf: (stageKey) => folders.stage(stageKey).logs,
      port,
      region: LOCAL_IDENTITY.region,
      account: LOCAL_IDENTITY.account,
      log: options.log,
    });
    started = services;
    return services;
  }

  return {
    started: () => started,
    start: async () => {
      starting ??= startOnce().catch((error: unknown) => {
        starting = null;
        throw error;
      });
      return starting;
    },
  };
}

async function wakeAll(stages: Stages, options: ServerOptions): Promise<void> {
  const waiting = [...stages.all()];
  const wakeNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [stageKey, stage] = next;
      await stage.wake().catch((error: unknown) => options.log(`${stageKey}: ${error}`));
      for (const problem of stage.problems()) options.log(`${stageKey}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: WAKE_CONCURRENCY }, wakeNext));
}

function statusOf(
  stages: Stages,
  hosted: ReturnType<ReturnType<ServerOptions["createStageHost"]>["status"]>,
): ServerStatus["stages"] {
  return [...stages.all()].map(([stageKey, stage]) => ({
    ...(hosted.find((status) => status.stageKey === stageKey) ?? {
      stageKey,
      runner: null,
      apis: [],
    }),
    app: stage.app,
    stage: stage.stage,
    resources: stage.count(),
    problems: stage.problems(),
  }));
}
