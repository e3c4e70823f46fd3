import type { Json, JsonObject } from "../../model/json.ts";
import type { HomePlace } from "./home-place.ts";
import type { StageHostStatus } from "./runner/protocol.ts";

/**
 * The control API of the local cloud: HTTP on a private socket, `Authorization: Bearer <token of server.json>`, JSON.
 *
 *   GET    /v1/status                                     → ServerStatus
 *   PUT    /v1/stages/<stageKey>/resources/<type>/<name>  PutResource → ResourceAnswer (repeat = same answer)
 *   GET    /v1/stages/<stageKey>/resources/<type>/<name>  → ResourceAnswer | 404
 *   DELETE /v1/stages/<stageKey>/resources/<type>/<name>  → 204, also when there was none
 *   GET    /v1/stages/<stageKey>/resources                → ResourceAnswer[]
 *   HEAD   /v1/stages/<stageKey>/code/<sha256>            → 200 | 404
 *   PUT    /v1/stages/<stageKey>/code/<sha256>            zip bytes → 204
 *   POST   /v1/stages/<stageKey>/wake                     → ResourceAnswer[] of those that do not answer
 *   DELETE /v1/stages/<stageKey>                          → 204; refused (409) while it has resources
 *   POST   /v1/stop                                       → 204, then the server drains and leaves
 *
 * A request about one resource may say with `scrim-epoch: <lineage>.<number>` which epoch of the stage's log it belongs
 * to. Once a later one has been seen, what an earlier one sends is refused with 409 `LOCAL_OVERTAKEN`.
 *
 * A refusal has a 4xx status and the body `{ code, message, hint? }`.
 */
export const CONTROL_PROTOCOL = 1;

export interface PutResource {
  readonly app: string;
  readonly stage: string;
  readonly spec: JsonObject;
  readonly tags: Readonly<Record<string, string>>;
  /** The same token on a repeat of the same mutation. */
  readonly token: string;
}

export interface ResourceAnswer {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly outputs: JsonObject;
  readonly tags: Readonly<Record<string, string>>;
  /** Without what is sealed; for drift. */
  readonly spec: JsonObject;
  /** Why it does not answer at the moment, such as a port that another program has taken. */
  readonly problem?: string;
}

export interface ServerStatus {
  readonly pid: number;
  readonly version: string;
  readonly protocol: number;
  readonly homeId: string;
  readonly startedAt: string;
  readonly dataPort: number | null;
  readonly stages: readonly (StageHostStatus & {
    readonly app: string;
    readonly stage: string;
    readonly resources: number;
    /** What is wrong with the stage, in sentences for people. */
    readonly problems?: readonly string[];
  })[];
}

/** `<home>/local/server.json`, mode 0600. */
export interface ServerInfo {
  readonly pid: number;
  readonly pidStart: string;
  readonly startedAt: string;
  readonly homeId: string;
  readonly socket: string;
  readonly token: string;
  readonly version: string;
  readonly protocol: number;
  /** The folder that it serves; earlier versions did not tell. */
  readonly home?: HomePlace;
}

export type ControlError = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly detail?: Json;
};
