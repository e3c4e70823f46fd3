import type { S3Client } from "@aws-sdk/client-s3";
import { type Store, UnknownOutcome } from "../../../home/store.ts";
import { checkKey } from "../../../home/stores/store-key.ts";
import type { Clock } from "../../../model/world.ts";
import { errorName, statusOf } from "../client/error-facts.ts";
import { withinTime } from "../client/within-time.ts";
import { unconditional } from "./unconditional.ts";

export interface S3StoreOptions {
  /** Repeats what fails in passing; for reading, and for deleting, which may be repeated. */
  readonly client: S3Client;
  /** Sends each request once: a repeat would find the first one's value and call it another's. */
  readonly onceClient: S3Client;
  readonly bucket: string;
  /** What the names of all objects begin with: empty, or ending with a slash. */
  readonly prefix: string;
  readonly clock: Clock;
  /** Account that the bucket has to belong to; null where the store knows no accounts. */
  readonly owner: string | null;
  /**
   * Makes the bucket and all that belongs to it; may be repeated. Without it the bucket is somebody else's to make.
   */
  readonly makeBucket?: () => Promise<void>;
  /** Puts an error of the SDK in words. */
  readonly explain: (error: unknown) => Error;
}

/** What one request may take, with its repeats. It is not cut short by Ctrl-C: what is done must be recorded. */
const CALL_TIME_MAX_MS = 60_000;
/** While another write of the key is under way (409 ConditionalRequestConflict): about six seconds in all. */
const ATTEMPTS_MAX = 8;
const FIRST_DELAY_MS = 50;
/** S3 answers a listing with at most this many keys. */
const PAGE_MAX = 1_000;

/**
 * A store in a bucket of S3, or of anything that speaks its language and heeds `If-None-Match: *`, which
 * lets one of many writers create a key.
 */
export class S3Store implements Store {
  readonly location: string;
  readonly #options: S3StoreOptions;
  readonly #home: string;
  #preparing: Promise<void> | null = null;

  constructor(options: S3StoreOptions) {
    this.#options = options;
    this.#home = `${options.prefix}home/`;
    this.location = `s3://${options.bucket}/${this.#home.slice(0, -1)}`;
  }

  async get(key: string): Promise<Uint8Array | null> {
    checkKey(key);
    return this.#read(this.#home + key);
  }

  async #read(name: string): Promise<Uint8Array | null> {
    const { GetObjectCommand } = await import("@aws-sdk/client-s3");
    const command = new GetObjectCommand({ ...this.#bucket(), Key: name });
    try {
      return await withinTime(CALL_TIME_MAX_MS, async (abortSignal) => {
        const { Body } = await this.#options.client.send(command, { abortSignal });
        return (await Body?.transformToByteArray()) ?? new Uint8Array();
      });
    } catch (error) {
      if (this.#isAbsent(error)) return null;
      throw this.#options.explain(error);
    }
  }

  async list(prefix: string, limit: number, after = ""): Promise<readonly string[]> {
    const found: string[] = [];
    while (found.length < limit) {
      const wanted = Math.min(PAGE_MAX, limit - found.length);
      const page = await this.#page(prefix, wanted, found.at(-1) ?? after);
      found.push(...page.keys);
      if (!page.hasMore) break;
    }
    return found;
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<"created" | "exists"> {
    checkKey(key);
    // The caller may change its bytes as soon as it waits for something.
    const copy = new Uint8Array(bytes);
    this.#preparing ??= this.#prepare();
    await this.#preparing.catch((error: unknown) => {
      this.#preparing = null;
      throw error;
    });
    return this.#create(this.#home + key, copy);
  }

  async delete(key: string): Promise<void> {
    checkKey(key);
    const { DeleteObjectCommand } = await import("@aws-sdk/client-s3");
    const command = new DeleteObjectCommand({ ...this.#bucket(), Key: this.#home + key });
    try {
      await withinTime(CALL_TIME_MAX_MS, (abortSignal) =>
        this.#options.client.send(command, { abortSignal }),
      );
    } catch (error) {
      if (!this.#isAbsent(error)) throw this.#options.explain(error);
    }
  }

  async #page(
    prefix: string,
    limit: number,
    after: string,
  ): Promise<{ readonly keys: readonly string[]; readonly hasMore: boolean }> {
    const { ListObjectsV2Command } = await import("@aws-sdk/client-s3");
    const command = new ListObjectsV2Command({
      ...this.#bucket(),
      Prefix: this.#home + prefix,
      MaxKeys: limit,
      ...(after === "" ? {} : { StartAfter: this.#home + after }),
    });
    try {
      const answer = await withinTime(CALL_TIME_MAX_MS, (abortSignal) =>
        this.#options.client.send(command, { abortSignal }),
      );
      const names = (answer.Contents ?? []).map(({ Key = "" }) => Key);
      const keys = names.map((name) => name.slice(this.#home.length));
      return { keys, hasMore: answer.IsTruncated === true && keys.length > 0 };
    } catch (error) {
      if (this.#isAbsent(error)) return { keys: [], hasMore: false };
      throw this.#options.explain(error);
    }
  }

  async #create(name: string, bytes: Uint8Array): Promise<"created" | "exists"> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#put(name, bytes);
      if (answer === "created" || answer === "exists") return answer;
      if (attempt === ATTEMPTS_MAX) {
        throw new UnknownOutcome(`${name} was being written by others for too long`);
      }
      await this.#options.clock.sleep(FIRST_DELAY_MS * 2 ** (attempt - 1));
    }
  }

  async #put(name: string, bytes: Uint8Array): Promise<"created" | "exists" | "conflict"> {
    const { PutObjectCommand } = await import("@aws-sdk/client-s3");
    const command = new PutObjectCommand({
      ...this.#bucket(),
      Key: name,
      Body: bytes,
      IfNoneMatch: "*",
      ContentType: "application/octet-stream",
    });
    try {
      await withinTime(CALL_TIME_MAX_MS, (abortSignal) =>
        this.#options.onceClient.send(command, { abortSignal }),
      );
      return "created";
    } catch (error) {
      return this.#refusal(error);
    }
  }

  /** What a failed write says; throws what is no answer about the key. */
  #refusal(error: unknown): "exists" | "conflict" {
    const status = statusOf(error);
    if (status === 412) return "exists";
    if (errorName(error) === "ConditionalRequestConflict") return "conflict";
    // 500 and 503 may come after the write; without a status the answer was lost, or the request.
    const isAnswer = status !== null && status >= 400 && status < 500 && status !== 429;
    if (isAnswer || isMistake(error)) throw this.#options.explain(error);
    throw new UnknownOutcome("the answer of the store was lost", { cause: error });
  }

  /** Before the first write. What is done here once for a bucket is told by an object beside the home. */
  async #prepare(): Promise<void> {
    const { prefix, makeBucket } = this.#options;
    const prepared = `${prefix}prepared.txt`;
    if ((await this.#read(prepared)) !== null) return;
    await makeBucket?.();
    await this.#checkConditions();
    await this.#insist(prepared, Buffer.from("This bucket is ready for a home.\n"));
  }

  /** Creates one key twice. A store that does so without complaint would let two deployers overwrite each other. */
  async #checkConditions(): Promise<void> {
    const name = `${this.#options.prefix}conditional-writes.txt`;
    const bytes = Buffer.from("This store refuses to create what is there.\n");
    if ((await this.#insist(name, bytes)) === "exists") return;
    if ((await this.#insist(name, bytes)) === "created") throw unconditional(this.location);
  }

  /** Creates a key with fixed content, for which it does not matter whose write it was that arrived. */
  async #insist(name: string, bytes: Uint8Array): Promise<"created" | "exists"> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#create(name, bytes);
      } catch (error) {
        if (!(error instanceof UnknownOutcome) || attempt === ATTEMPTS_MAX) throw error;
        await this.#options.clock.sleep(FIRST_DELAY_MS * 2 ** (attempt - 1));
      }
    }
  }

  /** A bucket that would be made holds nothing; one that somebody else makes must be there. */
  #isAbsent(error: unknown): boolean {
    if (errorName(error) === "NoSuchBucket") return this.#options.makeBucket !== undefined;
    return errorName(error) === "NoSuchKey";
  }

  #bucket(): { readonly Bucket: string; readonly ExpectedBucketOwner?: string } {
    const { bucket, owner } = this.#options;
    return { Bucket: bucket, ...(owner !== null && { ExpectedBucketOwner: owner }) };
  }
}

/** Errors of the SDK before it sends anything, such as having no credentials. */
function isMistake(error: unknown): boolean {
  return errorName(error) === "CredentialsProviderError" || error instanceof TypeError;
}
