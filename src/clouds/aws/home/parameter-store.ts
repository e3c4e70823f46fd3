import type { SSMClient } from "@aws-sdk/client-ssm";
import { type Store, UnknownOutcome } from "../../../home/store.ts";
import { checkKey } from "../../../home/stores/store-key.ts";
import type { Clock } from "../../../model/world.ts";
import { classify } from "../client/classify.ts";
import { errorName } from "../client/error-facts.ts";
import { withinTime } from "../client/within-time.ts";

export interface ParameterStoreOptions {
  /** Repeats what fails in passing. */
  readonly client: SSMClient;
  /** Sends each request once. */
  readonly onceClient: SSMClient;
  readonly region: string;
  readonly clock: Clock;
  /** Puts an error of the SDK in words. */
  readonly explain: (error: unknown) => Error;
}

/** What the names of all parameters begin with. */
export const PARAMETERS = "/scrim/keys/";
/** What one request may take, with its repeats. */
const CALL_TIME_MAX_MS = 60_000;
/** A command asks for the same keys several times while it starts; what was listed is true for so long. */
const LISTING_LIFETIME_MS = 5_000;
/** The service gives ten at once; nobody has so many keys that this is not enough. */
const PAGES_MAX = 200;

/**
 * A store in Systems Manager's Parameter Store, encrypted with the account's own KMS key: for keys, of which there are
 * few. Values are at most 3 KiB. A value that was read once is not asked for again, since it never changes.
 */
export class ParameterStore implements Store {
  readonly location: string;
  readonly #options: ParameterStoreOptions;
  readonly #known = new Map<string, Uint8Array>();
  readonly #listings = new Map<string, Listing>();

  constructor(options: ParameterStoreOptions) {
    this.#options = options;
    this.location = `the parameters ${PARAMETERS} in ${options.region}`;
  }

  async get(key: string): Promise<Uint8Array | null> {
    const known = this.#known.get(key);
    if (known !== undefined) return new Uint8Array(known);
    const { GetParameterCommand } = await import("@aws-sdk/client-ssm");
    const command = new GetParameterCommand({ Name: nameOf(key), WithDecryption: true });
    try {
      const { Parameter } = await this.#within((abortSignal) =>
        this.#options.client.send(command, { abortSignal }),
      );
      return this.#remember(key, Parameter?.Value ?? "");
    } catch (error) {
      if (errorName(error) === "ParameterNotFound") return null;
      throw this.#options.explain(error);
    }
  }

  async list(prefix: string, limit: number, after = ""): Promise<readonly string[]> {
    const keys = await this.#listing(prefix.slice(0, prefix.lastIndexOf("/") + 1));
    return keys
      .filter((key) => key.startsWith(prefix) && key > after)
      .sort()
      .slice(0, limit);
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<"created" | "exists"> {
    const { PutParameterCommand } = await import("@aws-sdk/client-ssm");
    const command = new PutParameterCommand({
      Name: nameOf(key),
      Value: textOf(bytes),
      Type: "SecureString",
      Overwrite: false,
      Description: "A key of Scrim. Secrets and state cannot be read without it.",
      Tags: [{ Key: "scrim:home", Value: "1" }],
    });
    this.#listings.clear();
    try {
      await this.#within((abortSignal) => this.#options.onceClient.send(command, { abortSignal }));
      return "created";
    } catch (error) {
      if (errorName(error) === "ParameterAlreadyExists") return "exists";
      const kind = classify(error);
      if (kind !== "lost" && kind !== "throttled") throw this.#options.explain(error);
      throw new UnknownOutcome("the answer of the parameter store was lost", { cause: error });
    } finally {
      this.#listings.clear();
    }
  }

  async delete(key: string): Promise<void> {
    const { DeleteParameterCommand } = await import("@aws-sdk/client-ssm");
    const command = new DeleteParameterCommand({ Name: nameOf(key) });
    this.#known.delete(key);
    this.#listings.clear();
    try {
      await this.#within((abortSignal) => this.#options.client.send(command, { abortSignal }));
    } catch (error) {
      if (errorName(error) !== "ParameterNotFound") throw this.#options.explain(error);
    }
  }

  async #listing(folder: string): Promise<readonly string[]> {
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#listings.get(folder);
    if (known !== undefined && known.untilMs > nowMs) return known.keys;
    const keys = this.#keysBelow(folder);
    this.#listings.set(folder, { keys, untilMs: nowMs + LISTING_LIFETIME_MS });
    keys.catch(() => this.#listings.delete(folder));
    return keys;
  }

  /** Every key in a folder, values remembered. */
  async #keysBelow(folder: string): Promise<readonly string[]> {
    const { GetParametersByPathCommand } = await import("@aws-sdk/client-ssm");
    const keys: string[] = [];
    let next: string | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const command = new GetParametersByPathCommand({
        Path: nameOf(folder).slice(0, -1),
        Recursive: true,
        WithDecryption: true,
        ...(next !== undefined && { NextToken: next }),
      });
      try {
        const { Parameters = [], NextToken } = await this.#within((abortSignal) =>
          this.#options.client.send(command, { abortSignal }),
        );
        for (const { Name = "", Value = "" } of Parameters) {
          const key = keyOf(Name);
          this.#remember(key, Value);
          keys.push(key);
        }
        if (NextToken === undefined) return keys;
        next = NextToken;
      } catch (error) {
        throw this.#options.explain(error);
      }
    }
    throw new Error(`${this.location} hold more than a store of keys can`);
  }

  #remember(key: string, text: string): Uint8Array {
    const bytes = bytesOf(text);
    this.#known.set(key, bytes);
    return new Uint8Array(bytes);
  }

  #within<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withinTime(CALL_TIME_MAX_MS, call);
  }
}

interface Listing {
  readonly keys: Promise<readonly string[]>;
  /** On the monotonic clock. */
  readonly untilMs: number;
}

/** Names may hold no `=`, which keys do; the keys that are kept here hold no dot. */
function nameOf(key: string): string {
  if (key.includes(".")) throw new Error(`not a key of this store: ${JSON.stringify(key)}`);
  if (!key.endsWith("/") && key !== "") checkKey(key);
  return PARAMETERS + key.replaceAll("=", ".");
}

function keyOf(name: string): string {
  return name.slice(PARAMETERS.length).replaceAll(".", "=");
}

/** Values are text that is not empty, so bytes are written with a letter in front. */
function textOf(bytes: Uint8Array): string {
  return `b${Buffer.from(bytes).toString("base64url")}`;
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(1), "base64url"));
}
