import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { JsonObject } from "../../../../model/json.ts";
import { userPoolClientId, userPoolId, userPoolOutputs } from "../../identity.ts";
import { describeBug } from "../describe-bug.ts";
import { InFlight } from "../in-flight.ts";
import type { ServiceInstance, ServiceOptions } from "../service.ts";
import { AuthProblem } from "../sigv4/auth-problem.ts";
import { parseRequestTarget } from "../sigv4/request-target.ts";
import { readSignedRequest } from "../sigv4/signed-request.ts";
import { verifySignature } from "../sigv4/verify-signature.ts";
import type { Cognito } from "./cognito.ts";
import { CognitoError, internalError, refusalOf } from "./cognito-error.ts";
import { CognitoStore } from "./cognito-store.ts";
import { answerHosted } from "./hosted/answer-hosted.ts";
import { OperationInput } from "./operations/operation-input.ts";
import { OPERATIONS } from "./operations/operations.ts";
import { refuseOperation } from "./operations/refuse-operation.ts";
import { operationOf, poolInPath } from "./pool-address.ts";
import { readBody } from "./read-body.ts";
import { sendError, sendJson } from "./send-json.ts";
import { Challenges } from "./sign-in/challenges.ts";
import { Turns } from "./sign-in/turns.ts";
import { SigningKeys } from "./tokens/signing-keys.ts";
import { PasswordHashing } from "./users/password-hashing.ts";

/** A request that takes longer is cut off; what was acknowledged is durable either way. */
const DRAIN_TIMEOUT_MS = 5000;

export const POOL_TYPE = "local:user-pool";
export const CLIENT_TYPE = "local:user-pool-client";

/** The user pools of one stage. */
export class CognitoInstance implements ServiceInstance {
  readonly #options: ServiceOptions;
  readonly #cognito: Cognito;
  readonly #inFlight = new InFlight();

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#cognito = {
      region: options.region,
      account: options.account,
      store: new CognitoStore(options.folder),
      keys: new SigningKeys(join(options.folder, "keys")),
      passwords: new PasswordHashing(),
      challenges: new Challenges(),
      turns: new Turns(),
      endpoint: () => options.endpoint?.() ?? "",
      now: () => options.now?.() ?? Date.now(),
      deliver: (pool, message) => options.tell?.(pool.logName, message),
    };
  }

  /** @throws DiagnosticError `USER_POOL_SPEC_INVALID` */
  async put(type: string, name: string, spec: JsonObject): Promise<JsonObject> {
    return type === POOL_TYPE ? this.#putPool(name, spec) : this.#putClient(name, spec);
  }

  async delete(type: string, name: string): Promise<void> {
    const { store, keys } = this.#cognito;
    if (type === CLIENT_TYPE) return await store.commit(() => store.clients.delete(name));
    await store.commit(() => store.pools.delete(userPoolId(name)));
    await keys.delete(userPoolId(name));
  }

  async names(type: string): Promise<readonly string[]> {
    const { store } = this.#cognito;
    return type === POOL_TYPE ? store.pools.all().map(({ name }) => name) : store.clients.names();
  }

  async handle(request: IncomingMessage, response: ServerResponse, body?: Buffer): Promise<void> {
    await this.#inFlight.track(this.#answer(request, response, body));
  }

  async close(): Promise<void> {
    await this.#inFlight.drained(DRAIN_TIMEOUT_MS);
    this.#cognito.store.close();
  }

  async #putPool(name: string, spec: JsonObject): Promise<JsonObject> {
    const { store, keys } = this.#cognito;
    const id = userPoolId(name);
    await keys.of(id);
    const pool = await store.commit(() => store.pools.save(id, name, spec, this.#cognito.now()));
    const url = `${this.#cognito.endpoint()}/${id}`;
    return {
      ...userPoolOutputs(name),
      endpoint: url,
      ...(pool.hostedLogin ? { domain: url } : {}),
    };
  }

  async #putClient(name: string, spec: JsonObject): Promise<JsonObject> {
    const { store } = this.#cognito;
    const client = await store.commit(() => {
      const saved = store.clients.save(userPoolClientId(name), name, spec, this.#cognito.now());
      store.pools.require(saved.pool);
      return saved;
    });
    return { id: client.id, ...(client.secret === null ? {} : { secret: client.secret }) };
  }

  async #answer(request: IncomingMessage, response: ServerResponse, body?: Buffer): Promise<void> {
    try {
      if (poolInPath(request.url ?? "") !== null)
        return await answerHosted(this.#cognito, request, response);
      const answer = await this.#perform(request, body ?? (await readBody(request)));
      sendJson(request, response, 200, answer);
    } catch (error) {
      // A client that went away in the middle of its body gets no answer and is nobody's fault.
      if (request.errored !== null) return void response.destroy();
      const refusal = refusalFor(error);
      if (refusal === null) this.#options.log?.(describeBug(error));
      sendError(request, response, refusal ?? internalError());
    }
  }

  async #perform(request: IncomingMessage, body: Buffer): Promise<JsonObject> {
    const name = operationOf(request);
    if (name === null || request.method !== "POST") throw refuseOperation("such requests");
    const operation = OPERATIONS.get(name);
    if (operation === undefined) throw refuseOperation(name);
    // Whoever signs must sign rightly, also where nobody need.
    if (operation.access !== "public" || request.headers.authorization !== undefined)
      this.#authenticate(request, body);
    return await operation.run(this.#cognito, OperationInput.parse(body));
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

/** Null for a bug of ours. */
function refusalFor(error: unknown): CognitoError | null {
  if (error instanceof AuthProblem) return refusalOf(error);
  return error instanceof CognitoError ? error : null;
}
