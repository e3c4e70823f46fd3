import type { StageLog } from "./journal.ts";
import type { SecretsLog } from "./secrets.ts";
import type { Store } from "./store.ts";

/** Where state is kept: every stage of every app, their secrets, nothing of a cloud's own data. */
export interface Home {
  readonly store: Store;
  stage(app: string, stage: string): StageLog;
  /** The secrets of one stage, or the fallback of the app when `stage` is null. */
  secrets(app: string, stage: string | null): SecretsLog;
  /** Every stage of every app, by app and stage; one that cannot be read is listed with its problem. */
  list(): AsyncIterable<StageSummary>;
}

export interface StageSummary {
  readonly app: string;
  readonly stage: string;
  /** Region of the home that it is in; absent where a home has none. */
  readonly region?: string;
  /** `open`: an epoch has not ended. `not deployed`: only secrets exist. `corrupt`: see `problem`. */
  readonly status:
    | "deployed"
    | "failed"
    | "retained"
    | "removed"
    | "open"
    | "not deployed"
    | "corrupt";
  /** ISO 8601, null when never deployed or unreadable. */
  readonly updatedAt: string | null;
  readonly resources: number | null;
  readonly retained: number | null;
  /** Secrets were changed after the last deploy. */
  readonly staleSecrets: boolean;
  readonly problem?: string;
}
