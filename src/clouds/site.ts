import type { KeyRing } from "../home/keys/key-ring.ts";
import type { Store } from "../home/store.ts";
import type { Clock, Random } from "../model/world.ts";
import type { Cloud } from "./cloud.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a home is opened with. */
export interface SiteOptions {
  /** The folder that this machine's home lies in; the local cloud keeps its own data there too. */
  readonly homeFolder: string;
  /** Keys on this machine. */
  readonly machineKeys: KeyRing;
  /** The process environment as it was at the start. */
  readonly env: Environment;
  /** The environment that the config sees: `.env` files included. */
  readonly configEnv: Environment;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: ProviderSettings;
}

/** `providers` of `app()`. */
export interface ProviderSettings {
  readonly aws: {
    readonly region: string | null;
    readonly profile: string | null;
    /** Empty when any account will do. */
    readonly allowedAccountIds: readonly string[];
  };
}

/** What a config that names no provider says of them. */
export const NO_SETTINGS: ProviderSettings = {
  aws: { region: null, profile: null, allowedAccountIds: [] },
};

/** Where state and keys are kept, and the cloud that the stages in it are deployed to. */
export interface Site {
  readonly store: Store;
  readonly keys: KeyRing;
  /** The homes that the account has, one a region, this one among them; absent where a home is the only one. */
  everyRegion?(): Promise<readonly RegionHome[]>;
  /** Opens the cloud; the caller closes it. */
  openCloud(options: CloudOptions): Promise<Cloud>;
}

export interface RegionHome {
  readonly region: string;
  readonly store: Store;
}

/** What a cloud is opened with, besides what its home was opened with. */
export interface CloudOptions {
  readonly version: string;
  /** The zip of a bundle that this command has built, by its hash. */
  readonly readBundle: (hash: string) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
}
