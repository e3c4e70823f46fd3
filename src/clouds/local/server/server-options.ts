import type { Clock } from "../../../model/world.ts";
import type { StageHost } from "../runner/protocol.ts";
import type { DataServices } from "./resources/data-services.ts";
import type { SealLinks } from "./resources/link-files.ts";
import type { Log } from "./resources/stage-dependencies.ts";

/** How the data services are started. */
export interface DataServicesOptions {
  /** The stage and secret behind an access key id, or null for one that is no stage's. */
  resolveAccessKey(
    accessKeyId: string,
  ): { readonly stageKey: string; readonly secret: string } | null;
  /** The stage that a bucket belongs to. */
  stageOfBucket(bucket: string): string | null;
  /** The stage that a user pool belongs to. */
  stageOfPool(poolId: string): string | null;
  /** The stage that a client of a user pool belongs to. */
  stageOfPoolClient(clientId: string): string | null;
  folderOf(stageKey: string): string;
  /** Where the logs of a stage lie that its user reads. */
  logsFolderOf(stageKey: string): string;
  /** Where to listen; free a moment ago. */
  readonly port: number;
  readonly region: string;
  readonly account: string;
  log(line: string): void;
}

/** What the server of one home is started with. */
export interface ServerOptions {
  /** Absolute. */
  readonly homeFolder: string;
  readonly homeId: string;
  readonly version: string;
  readonly protocol: number;
  /** The environment that this process was started with; says where key and socket lie. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Stay although there is nothing to serve, as in a container. */
  readonly stay: boolean;
  /** How long a server without any resource waits for the next request before it leaves. */
  readonly lingerMs: number;
  readonly createStageHost: (log: Log) => StageHost;
  readonly createDataServices: (options: DataServicesOptions) => Promise<DataServices>;
  readonly sealLinks: SealLinks;
  readonly log: Log;
}
