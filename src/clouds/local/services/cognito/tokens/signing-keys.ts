import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDurably, hasCode, makeFolder, removeDurably } from "../../../durable-file.ts";

/** The key that a pool signs tokens with. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const MODULUS_BITS = 2048;

/**
 * A key for each pool, made with it and kept in a file of mode 0600. Deleted with the pool: the
 * tokens of a pool that is made anew are none of the old one's.
 */
export class SigningKeys {
  readonly #folder: string;
  readonly #keys = new Map<string, Promise<SigningKey>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The pool's key; made when there is none, and durable when it resolves. */
  async of(poolId: string): Promise<SigningKey> {
    const known = this.#keys.get(poolId);
    if (known !== undefined) return await known;
    const opening = this.#open(poolId);
    this.#keys.set(poolId, opening);
    // A failed opening is tried again by the next request.
    opening.catch(() => this.#keys.delete(poolId));
    return await opening;
  }

  async delete(poolId: string): Promise<void> {
    this.#keys.delete(poolId);
    await removeDurably(this.#file(poolId));
  }

  async #open(poolId: string): Promise<SigningKey> {
    const found = await this.#read(poolId);
    if (found !== null) return found;
    await makeFolder(this.#folder);
    const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    await createDurably(this.#file(poolId), pem.toString());
    const made = await this.#read(poolId);
    if (made === null) throw new Error(`the signing key of ${poolId} is gone again`);
    return made;
  }

  async #read(poolId: string): Promise<SigningKey | null> {
    try {
      return keyOf(createPrivateKey(await readFile(this.#file(poolId), "utf8")));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return null;
      throw error;
    }
  }

  #file(poolId: string): string {
    return join(this.#folder, `${poolId}.pem`);
  }
}

function keyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: "spki", format: "der" });
  // As long as Cognito's key ids.
  return { id: createHash("sha256").update(der).digest("base64"), privateKey, publicKey };
}
