import { issuerUrl } from "../http/fetch-text.ts";
import type { KeySet } from "../keys/key-set.ts";
import { keySetAt } from "../keys/key-sets.ts";
import type { Claims } from "./claims.ts";
import {
  createPolicy,
  type Policy,
  requireOptions,
  stringList,
  type TokenOptions,
} from "./policy.ts";
import { verify } from "./verify.ts";

/** Options of {@link verifyToken}. */
export interface VerifyTokenOptions extends TokenOptions {
  /** Where the issuer publishes its keys. Must be https, except on this machine. */
  readonly jwksUri: string;
  /** Who must have issued the token. Give it wherever the key set serves more than one issuer. */
  readonly issuer?: string | readonly string[];
  /** Whom the token must be for; one of several is enough. Leave it out only if the issuer serves you alone. */
  readonly audience?: string | readonly string[];
}

/**
 * Verifies a signed token and returns its claims, which are frozen.
 *
 * @throws InvalidToken when anything about it is wrong, JwksUnavailable when that cannot be told
 * @throws TokenExpired when nothing is wrong but its time
 * @throws TypeError for options that cannot be meant
 * @example
 * import { auth, bearer, verifyToken } from "scrim/auth";
 *
 * export const handler = auth.handler(async (event) => {
 *   const claims = await verifyToken(bearer(event), {
 *     jwksUri: "https://issuer.example/.well-known/jwks.json",
 *     issuer: "https://issuer.example",
 *     audience: "notes",
 *   });
 *   return { statusCode: 200, body: `Hello ${claims.sub}` };
 * });
 */
export async function verifyToken(token: string, options: VerifyTokenOptions): Promise<Claims> {
  const { keySet, policy } = prepared(options);
  return verify(token, keySet, policy);
}

interface Prepared {
  readonly keySet: KeySet;
  readonly policy: Policy;
}

/** Options come from code, so there are few; the bound is for code that makes them up. */
const KNOWN_MAX = 100;
const known = new Map<string, Prepared>();

function prepared(options: VerifyTokenOptions): Prepared {
  const name = nameOf(options);
  const cached = name === null ? undefined : known.get(name);
  if (cached !== undefined) return cached;
  const made = prepare(options);
  if (known.size >= KNOWN_MAX) known.clear();
  if (name !== null) known.set(name, made);
  return made;
}

/** Text that differs for options that differ; null for those that JSON cannot tell from others. */
function nameOf(options: object): string | null {
  if (typeof options !== "object" || options === null) return null;
  const isPlain = Object.getPrototypeOf(options) === Object.prototype;
  return isPlain && Object.values(options).every(isTold) ? JSON.stringify(options) : null;
}

function isTold(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string");
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function prepare(options: VerifyTokenOptions): Prepared {
  const where = "verifyToken()";
  requireOptions(where, options, ["jwksUri", "issuer", "audience"]);
  const { jwksUri, issuer, audience } = options;
  const policy = createPolicy(where, options, {
    issuers: issuer === undefined ? null : stringList(where, "issuer", issuer),
    audiences: audience === undefined ? null : stringList(where, "audience", audience),
    check: null,
  });
  return { keySet: keySetAt(issuerUrl("jwksUri", jwksUri)), policy };
}
