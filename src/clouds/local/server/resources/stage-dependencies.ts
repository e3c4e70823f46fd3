import type { Clock } from "../../../../model/world.ts";
import type { StageFolders } from "../../folders.ts";
import type { StageHost } from "../../runner/protocol.ts";
import type { PortBook } from "../ports.ts";
import type { Sealing } from "../registry/sealing.ts";
import type { StageCredentials } from "./access-keys.ts";
import type { DataServices } from "./data-services.ts";
import type { SealLinks } from "./link-files.ts";

/** Writes one line to the server's log. Never a secret. */
export type Log = (line: string) => void;

/** What one stage is given by the server. */
export interface StageDependencies {
  readonly app: string;
  readonly stage: string;
  readonly stageKey: string;
  readonly homeId: string;
  readonly folders: StageFolders;
  readonly credentials: StageCredentials;
  readonly host: StageHost;
  readonly ports: PortBook;
  readonly clock: Clock;
  readonly sealLinks: SealLinks;
  readonly log: Log;
  /** Started when first asked for. */
  services(): Promise<DataServices>;
  /** @throws DiagnosticError `LOCAL_KEY_MISSING` (exit 6) */
  sealing(): Promise<Sealing>;
}
