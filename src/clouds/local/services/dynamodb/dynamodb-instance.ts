import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../../model/json.ts";
import { describeBug } from "../describe-bug.ts";
import { InFlight } from "../in-flight.ts";
import type { ServiceInstance, ServiceOptions } from "../service.ts";
import { AuthProblem } from "../sigv4/auth-problem.ts";
import { parseRequestTarget } from "../sigv4/request-target.ts";
import { readSignedRequest } from "../sigv4/signed-request.ts";
import { verifySignature } from "../sigv4/verify-signature.ts";
import {
  DynamodbError,
  internalError,
  refusalOf,
  serializationError,
  unknownOperation,
} from "./dynamodb-error.ts";
import type { DynamodbStore } from "./dynamodb-store.ts";
import { perform } from "./perform.ts";
import { type Item, isItem } from "./row-store.ts";
import { sendError, sendJson } from "./send-json.ts";
import { describeTable } from "./table-description.ts";

/** What DynamoDB takes in one request. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** A request that takes longer is cut off; what was acknowledged is durable either way. */
const DRAIN_TIMEOUT_MS = 5000;
const TARGET_PREFIX = "DynamoDB_20120810.";

/** DynamoDB of one stage. */
export class DynamodbInstance implements ServiceInstance {
  readonly #store: DynamodbStore;
  readonly #options: ServiceOptions;
  readonly #inFlight = new InFlight();

  constructor(store: DynamodbStore, options: ServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * @throws DiagnosticError `TABLE_SPEC_INVALID`, `TABLE_FEATURE_UNSUPPORTED`, `TABLE_KEY_FIXED`
   */
  async put(_type: string, name: string, spec: JsonObject): Promise<JsonObject> {
    const { region, account } = this.#options;
    const arn = `arn:aws:dynamodb:${region}:${account}:table/${name}`;
    await this.#store.database.commit(() => {
      const before = this.#store.tables.find(name);
      const id = before?.TableId ?? randomUUID();
      const createdMs = before === null ? Date.now() : before.CreationDateTime * 1000;
      this.#store.tables.save(describeTable({ name, arn, id, createdMs }, spec));
    });
    return { name, arn };
  }

  async delete(_type: string, name: string): Promise<void> {
    await this.#store.database.commit(() => this.#store.tables.delete(name));
  }

  async names(): Promise<readonly string[]> {
    return this.#store.tables.names();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#inFlight.track(this.#answer(request, response));
  }

  async close(): Promise<void> {
    await this.#inFlight.drained(DRAIN_TIMEOUT_MS);
    this.#store.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request);
      this.#authenticate(request, body);
      const operation = operationOf(request);
      sendJson(request, response, 200, await perform(this.#store, operation, parseBody(body)));
    } catch (error) {
      // A client that went away in the middle of its body gets no answer and is nobody's fault.
      if (request.errored !== null) return void response.destroy();
      const refusal = refusalFor(error);
      if (refusal === null) this.#options.log?.(describeBug(error));
      sendError(request, response, refusal ?? internalError());
    }
  }

  #authenticate(request: IncomingMessage, body: Buffer): void {
    const target = parseRequestTarget(request.url ?? "/");
    verifySignature({
      method: request.method ?? "POST",
      target,
      headers: request.headers,
      payloadHash: createHash("sha256").update(body).digest("hex"),
      signed: readSignedRequest(request.headers, target.query),
      secretOf: (accessKeyId) => this.#options.secretOf(accessKeyId),
      nowMs: Date.now(),
    });
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw serializationError("Request size exceeded 16 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function operationOf(request: IncomingMessage): string {
  const target = request.headers["x-amz-target"];
  if (request.method !== "POST" || typeof target !== "string" || !target.startsWith(TARGET_PREFIX))
    throw unknownOperation(
      `DynamoDB on the local cloud answers POST requests whose X-Amz-Target begins with ${TARGET_PREFIX}`,
    );
  return target.slice(TARGET_PREFIX.length);
}

function parseBody(body: Buffer): Item {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    if (isItem(value)) return value;
  } catch {
    // Told below: what is not JSON is no object either.
  }
  throw serializationError("The body of the request is not a JSON object");
}

/** Null for a bug of ours. */
function refusalFor(error: unknown): DynamodbError | null {
  if (error instanceof AuthProblem) return refusalOf(error);
  return error instanceof DynamodbError ? error : null;
}
