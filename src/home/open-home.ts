import type { Json } from "../model/json.ts";
import type { Clock, Random } from "../model/world.ts";
import { StoredStageLog } from "./epochs/stage-log.ts";
import type { Home, StageSummary } from "./home.ts";
import { homeId } from "./home-identity.ts";
import { listStages } from "./home-list.ts";
import type { StageLog } from "./journal.ts";
import type { KeyRing } from "./keys/key-ring.ts";
import { stagePlace } from "./log/stage-place.ts";
import { type Liveness, machineLiveness } from "./owner/liveness.ts";
import { processFacts } from "./owner/process-facts.ts";
import { type OutputVault, openOutputVault } from "./secrets/output-vault.ts";
import { rotateKey } from "./secrets/rotate-key.ts";
import { sealerOf } from "./secrets/sealer.ts";
import { StoredSecretsLog } from "./secrets/secrets-log.ts";
import type { SecretsLog } from "./secrets.ts";
import type { Store } from "./store.ts";
import { DirectoryStore } from "./stores/directory.ts";
import { nodeDisk } from "./stores/node-disk.ts";

export interface HomeOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeyRing;
  /** Tells whether another holder's process runs; by default what this machine's kernel tells. */
  readonly liveness?: Liveness;
}

/** A home and what is done with its keys. */
export interface OpenHome extends Home {
  readonly keys: KeyRing;
  /** Random identity of this home, 32 hex digits, made at first use. */
  id(): Promise<string>;
  /**
   * How the app's sensitive values stand in state: HMAC-SHA256, in hex, of their canonical JSON. Makes the app's key
   * where it has none.
   *
   * @throws DiagnosticError `KEY_MISSING` (exit 6) when secrets were encrypted and their key is not here
   */
  sealer(app: string): Promise<(value: Json) => string>;
  /**
   * Encrypts and reads outputs of a stage's resources. Makes the app's key where it has none.
   *
   * @throws DiagnosticError `KEY_MISSING` (exit 6) as `sealer` does
   */
  outputVault(app: string, stage: string): Promise<OutputVault>;
  /** Makes a new key for an app and encrypts all its secrets with it. Returns its id. Repeatable when interrupted. */
  rotateKey(app: string): Promise<string>;
}

/** Opens the home that a store holds. Does nothing by itself; every part is read when it is asked for. */
export function openHome(options: HomeOptions): OpenHome {
  const { store, clock, random, keys } = options;
  const liveness = options.liveness ?? machineLiveness(processFacts);
  const secrets = (app: string, stage: string | null): SecretsLog =>
    new StoredSecretsLog({ store, app, stage, clock, random, keys });
  // Each knows what it read last: most commands look at their stage twice.
  const stages = new Map<string, StageLog>();
  const stage = (app: string, name: string): StageLog => {
    const place = stagePlace(store, app, name);
    const log = stages.get(place.logPrefix);
    if (log !== undefined) return log;
    const opened = new StoredStageLog({ place, clock, random, liveness });
    stages.set(place.logPrefix, opened);
    return opened;
  };
  return {
    store,
    keys,
    secrets,
    stage,
    list: (): AsyncIterable<StageSummary> => listStages(store),
    id: () => homeId(store, random, clock),
    sealer: (app) => sealerOf({ store, keys, app }),
    outputVault: (app, stage) => openOutputVault({ store, keys, random, app, stage }),
    rotateKey: (app) => rotateKey({ store, keys, app, secrets }),
  };
}

/** Opens the home in a folder of this machine, which is made at the first write. */
export function openDirectoryHome(folder: string, options: Omit<HomeOptions, "store">): OpenHome {
  return openHome({ ...options, store: new DirectoryStore(folder, nodeDisk) });
}
