import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../model/json.ts";

/**
 * An emulated data service, such as S3: a folder with this as its manifest. Loaded when a stage
 * first needs it.
 */
export interface Service {
  /** The name in SigV4 credential scopes: `s3`, `dynamodb`. */
  readonly name: string;
  /** Resource types it keeps, for example `local:bucket`. */
  readonly types: readonly string[];
  /** Opens one stage's data, made whole after any crash. */
  open(options: ServiceOptions): Promise<ServiceInstance>;
}

export interface ServiceOptions {
  /** `<home>/local/<stageKey>/<service>`; made by the service. Nothing is kept elsewhere. */
  readonly folder: string;
  readonly region: string;
  readonly account: string;
  /**
   * The secret access key of an access key id of this stage, or null for one that is not of this
   * stage.
   */
  secretOf(accessKeyId: string): string | null;
  /** Told what went wrong inside, for the server's log; never a secret. */
  readonly log?: (message: string) => void;
  /** Writes a line for the user into the stage's log, under the name of a component. */
  readonly tell?: (component: string, message: string) => void;
  /** Where the data plane listens, `http://127.0.0.1:<port>`, for addresses in outputs. */
  readonly endpoint?: () => string;
  /** Milliseconds since the epoch; by default the machine's clock. */
  readonly now?: () => number;
}

export interface ServiceInstance {
  /** Creates or changes one thing; a repeat gives the same answer. Durable when it resolves. */
  put(type: string, name: string, spec: JsonObject): Promise<JsonObject>;
  /** Deletes it with all its data; no error when there is none. */
  delete(type: string, name: string): Promise<void>;
  /** Names of what exists, for reconciliation with the registry. */
  names(type: string): Promise<readonly string[]>;
  /**
   * Answers one request of the data plane, authentication included. Never rejects.
   *
   * @param body the whole body, where it was read already to find the stage
   */
  handle(request: IncomingMessage, response: ServerResponse, body?: Buffer): Promise<void>;
  close(): Promise<void>;
}
