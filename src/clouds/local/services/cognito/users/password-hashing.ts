import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { tooManyRequests } from "../cognito-error.ts";
import type { UserPool } from "../pools/user-pool.ts";
import { makeSrpVerifier } from "../srp/srp-verifier.ts";
import type { StoredPassword } from "./user.ts";

/** 32 MiB and some 100 ms each. */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Hashes at the same time; each keeps one of libuv's four threads busy. */
const CONCURRENCY = 2;
/** Hashes that may wait; who asks for more is refused, so that guessing cannot fill the memory. */
const WAITING_MAX = 64;
/** Has the form of a hash and is no password's: what is compared for users that do not exist. */
const NOBODYS = formOf(Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES));

/** Makes and checks password hashes, a few at a time. */
export class PasswordHashing {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws CognitoError `TooManyRequestsException` */
  async store(pool: UserPool, username: string, password: string): Promise<StoredPassword> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.#derive(password, salt, [COST, BLOCK_SIZE, PARALLELIZATION]);
    return {
      hash: formOf(salt, key),
      ...makeSrpVerifier(poolNameOf(pool.id), username, password),
    };
  }

  /**
   * Whether the password is the one that was hashed. Without a hash it takes as long and is false.
   *
   * @throws CognitoError `TooManyRequestsException`
   */
  async matches(password: string, stored: StoredPassword | null): Promise<boolean> {
    const [name, cost, blockSize, lanes, salt, key] = (stored?.hash ?? NOBODYS).split("$");
    if (name !== "scrypt" || salt === undefined || key === undefined)
      throw new Error("a stored password is of no form that is known");
    const parameters = [Number(cost), Number(blockSize), Number(lanes)] as const;
    const expected = Buffer.from(key, "base64");
    const actual = await this.#derive(password, Buffer.from(salt, "base64"), parameters);
    return timingSafeEqual(actual, expected) && stored !== null;
  }

  async #derive(
    password: string,
    salt: Buffer,
    [N, r, p]: readonly [number, number, number],
  ): Promise<Buffer> {
    await this.#enter();
    try {
      return await new Promise((resolve, reject) => {
        const settings = { N, r, p, maxmem: MEMORY_BYTES_MAX };
        scrypt(password, salt, KEY_BYTES, settings, (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        });
      });
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < CONCURRENCY) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= WAITING_MAX) throw tooManyRequests();
    // Whoever leaves hands its place over, so that the count stays as it is.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

/** The pool's id behind its underscore, which the secure remote password protocol works with. */
export function poolNameOf(poolId: string): string {
  return poolId.slice(poolId.indexOf("_") + 1);
}

function formOf(salt: Buffer, key: Buffer): string {
  const parts = [
    COST,
    BLOCK_SIZE,
    PARALLELIZATION,
    salt.toString("base64"),
    key.toString("base64"),
  ];
  return `scrypt$${parts.join("$")}`;
}
