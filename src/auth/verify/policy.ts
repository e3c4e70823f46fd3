import { ALGORITHMS, type Algorithm, isAlgorithm } from "./algorithm.ts";
import type { Claims } from "./claims.ts";

/** What of a token may be adjusted. */
export interface TokenOptions {
  /** Allowed signature algorithms. @default all that the keys of the set are made for */
  readonly algorithms?: readonly Algorithm[];
  /** Allowed values of the header's `typ`, which must then be there. @default none, `JWT` or `at+jwt` */
  readonly types?: readonly string[];
  /** Whether a token without `exp` is refused. @default true */
  readonly requireExp?: boolean;
  /** How far the issuer's clock may differ from ours, for `exp` and `nbf`; at most 300. @default 0 */
  readonly clockToleranceSeconds?: number;
  /** The longest token that is looked at; at most 16,384. @default 8192 */
  readonly maxTokenBytes?: number;
}

/** What a token must be, checked and with its defaults. */
export interface Policy {
  /** One of these issued it; null leaves the issuer unchecked. */
  readonly issuers: readonly string[] | null;
  /** One of these is in `aud`; null leaves the audience unchecked. */
  readonly audiences: readonly string[] | null;
  readonly algorithms: readonly Algorithm[];
  readonly types: readonly (string | undefined)[];
  readonly requireExp: boolean;
  readonly clockToleranceSeconds: number;
  readonly maxTokenBytes: number;
  /** Further rules of one issuer. @throws InvalidToken CLAIM_INVALID */
  readonly check: ((claims: Claims) => void) | null;
}

const TOKEN_OPTIONS = [
  "algorithms",
  "types",
  "requireExp",
  "clockToleranceSeconds",
  "maxTokenBytes",
];

/**
 * Refuses options that cannot be meant: a misspelled or undefined one would leave something unchecked.
 *
 * @param where the function, for the message
 * @throws TypeError
 */
export function requireOptions(
  where: string,
  options: unknown,
  allowed: readonly string[],
): asserts options is Readonly<Record<string, unknown>> {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${where} needs an object of options`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!allowed.includes(name) && !TOKEN_OPTIONS.includes(name)) {
      throw new TypeError(`${where} has no option ${name}`);
    }
    if (value === undefined) {
      throw new TypeError(`${where}: ${name} is undefined; leave it out or give it a value`);
    }
  }
}

/** @throws TypeError when an option is out of its bounds */
export function createPolicy(
  where: string,
  options: TokenOptions,
  who: Pick<Policy, "issuers" | "audiences" | "check">,
): Policy {
  return {
    ...who,
    algorithms: algorithms(where, options.algorithms ?? ALGORITHMS),
    types: options.types?.map((type) => type.toLowerCase()) ?? [undefined, "jwt", "at+jwt"],
    requireExp: options.requireExp ?? true,
    clockToleranceSeconds: bounded(where, "clockToleranceSeconds", options, 0, 300),
    maxTokenBytes: bounded(where, "maxTokenBytes", options, 8192, 16_384),
  };
}

function algorithms(where: string, given: readonly unknown[]): readonly Algorithm[] {
  const allowed = given.filter(isAlgorithm);
  if (allowed.length === 0 || allowed.length < given.length) {
    throw new TypeError(`${where}: algorithms must be some of ${ALGORITHMS.join(", ")}`);
  }
  return allowed;
}

function bounded(
  where: string,
  name: "clockToleranceSeconds" | "maxTokenBytes",
  options: TokenOptions,
  normal: number,
  max: number,
): number {
  const value = options[name] ?? normal;
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new TypeError(`${where}: ${name} must be a whole number from 0 to ${max}`);
  }
  return value;
}

/**
 * One string or several as a list.
 *
 * @throws TypeError when there is none, or one is empty
 */
export function stringList(where: string, name: string, value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  const strings = list.filter((item) => typeof item === "string" && item !== "");
  if (strings.length === 0 || strings.length < list.length) {
    throw new TypeError(`${where}: ${name} must be a string, or a list of strings`);
  }
  return strings;
}
