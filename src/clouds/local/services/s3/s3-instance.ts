import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "../../../../model/diagnostic.ts";
import type { JsonObject } from "../../../../model/json.ts";
import { describeBug } from "../describe-bug.ts";
import { InFlight } from "../in-flight.ts";
import type { ServiceInstance, ServiceOptions } from "../service.ts";
import { AuthProblem } from "../sigv4/auth-problem.ts";
import { parseRequestTarget, type RequestTarget } from "../sigv4/request-target.ts";
import { readSignedRequest } from "../sigv4/signed-request.ts";
import { verifySignature } from "../sigv4/verify-signature.ts";
import { Payload, payloadHashOf } from "./body/payload.ts";
import { type BucketAddress, parseBucketAddress } from "./bucket-address.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { parseCorsSpec } from "./cors-spec.ts";
import { RequestHeaders } from "./request-headers.ts";
import { findOperation, type S3Scope } from "./routes.ts";
import { emptyReply, type S3Call, type S3Reply } from "./s3-call.ts";
import { noSuchBucket, notImplemented, refusalOf, S3Error } from "./s3-error.ts";
import type { S3Store } from "./s3-store.ts";
import { type ReplyFrame, sendError, sendReply } from "./send-reply.ts";
import { operationName } from "./subresources.ts";

/** A transfer that takes longer is cut off; what was acknowledged is durable either way. */
const DRAIN_TIMEOUT_MS = 5000;

/** S3 of one stage. */
export class S3Instance implements ServiceInstance {
  readonly #store: S3Store;
  readonly #options: ServiceOptions;
  readonly #inFlight = new InFlight();

  constructor(store: S3Store, options: ServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** @throws DiagnosticError `BUCKET_VERSIONING_UNSUPPORTED`, `BUCKET_CORS_INVALID` */
  async put(_type: string, name: string, spec: JsonObject): Promise<JsonObject> {
    if (spec["versioning"] === true)
      throw fail("BUCKET_VERSIONING_UNSUPPORTED", `The bucket ${name} cannot have versioning`, {
        why: "S3 on the local cloud keeps one version of each object.",
        hint: "Leave out versioning for stages on the local cloud.",
      });
    const cors = parseCorsSpec(spec["cors"]);
    await this.#store.database.commit(() => {
      this.#store.buckets.save({ name, cors, createdMs: Date.now() });
    });
    return { name, arn: `arn:aws:s3:::${name}` };
  }

  async delete(_type: string, name: string): Promise<void> {
    const garbage = await this.#store.database.commit(() => this.#store.buckets.delete(name));
    await this.#store.blobs.delete(garbage);
  }

  async names(): Promise<readonly string[]> {
    return this.#store.buckets.names();
  }

  /** Whether a preflight, which is not signed, may be meant for this stage. */
  hasBucket(name: string): boolean {
    return this.#store.buckets.find(name) !== null;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#inFlight.track(this.#answer(request, response));
  }

  async close(): Promise<void> {
    await this.#inFlight.drained(DRAIN_TIMEOUT_MS);
    await this.#store.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let frame: ReplyFrame = { request, response, corsHeaders: {} };
    try {
      const target = parseTarget(request.url ?? "/");
      const address = parseBucketAddress(request.headers.host, target.rawPath);
      if (request.method === "OPTIONS") return await this.#answerPreflight(frame, address);
      frame = { ...frame, corsHeaders: this.#corsHeaders(request, address) };
      await sendReply(frame, await this.#perform(request, target, address));
    } catch (error) {
      // A client that went away in the middle of its body gets no answer and is nobody's fault.
      if (request.errored !== null) return void response.destroy();
      const refusal = error instanceof AuthProblem ? refusalOf(error) : error;
      if (!(refusal instanceof S3Error)) this.#options.log?.(describeBug(error));
      await sendError(frame, refusal);
    }
  }

  async #answerPreflight(frame: ReplyFrame, address: BucketAddress): Promise<void> {
    const bucket = this.#store.buckets.find(address.bucket);
    if (bucket === null) throw noSuchBucket(address.bucket);
    await sendReply(frame, emptyReply(200, preflightHeaders(bucket.cors, frame.request.headers)));
  }

  #corsHeaders(request: IncomingMessage, address: BucketAddress): Record<string, string> {
    if (request.headers.origin === undefined) return {};
    const bucket = this.#store.buckets.find(address.bucket);
    return corsHeaders(bucket?.cors ?? null, request.method ?? "GET", request.headers);
  }

  async #perform(
    request: IncomingMessage,
    target: RequestTarget,
    address: BucketAddress,
  ): Promise<S3Reply> {
    const call = this.#authenticate(request, target, address);
    const method = request.method ?? "GET";
    const scope = scopeOf(address);
    const copies = call.headers.get("x-amz-copy-source") !== null;
    const operation = findOperation(method, scope, call.query, copies);
    if (operation === null) throw notImplemented(operationName(method, scope, call.query));
    return await operation(call);
  }

  /** @throws AuthProblem, S3Error */
  #authenticate(request: IncomingMessage, target: RequestTarget, address: BucketAddress): S3Call {
    const signed = readSignedRequest(request.headers, target.query);
    const presigned = signed.expiresSeconds !== null;
    const payloadHash = payloadHashOf(request, presigned);
    const verified = verifySignature({
      method: request.method ?? "GET",
      target,
      headers: request.headers,
      payloadHash,
      signed,
      secretOf: (accessKeyId) => this.#options.secretOf(accessKeyId),
      nowMs: Date.now(),
    });
    return {
      store: this.#store,
      region: this.#options.region,
      ...address,
      query: new Map([...target.query].reverse()),
      headers: new RequestHeaders(request.headers, target.query, presigned),
      payload: new Payload(request, payloadHash, signed, verified),
      nowMs: Date.now(),
    };
  }
}

function scopeOf(address: BucketAddress): S3Scope {
  if (address.bucket === "") return "service";
  return address.key === "" ? "bucket" : "object";
}

function parseTarget(url: string): RequestTarget {
  try {
    return parseRequestTarget(url);
  } catch {
    throw new S3Error(400, "InvalidURI", "Couldn't parse the specified URI.");
  }
}
