import { isUtf8 } from "node:buffer";
import { malformed } from "../auth-error.ts";

/** No issuer nests claims deeper than a few levels; parsers of others may overflow at some thousands. */
const DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LETTER_U = 0x75;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An object of JSON, frozen to its depth. */
export type FrozenObject = Readonly<Record<string, unknown>>;

/**
 * Parses JSON that every reader reads in the same way: one object in UTF-8 without a byte order mark, without a name
 * twice in one object, without names that JavaScript gives a meaning (which other parsers drop), without half of a
 * surrogate pair, at most 32 levels deep.
 *
 * @throws InvalidToken TOKEN_MALFORMED
 */
export function parseStrictObject(json: Buffer): FrozenObject {
  if (!isUtf8(json)) throw malformed("The token's JSON is not UTF-8");
  const members = countMembers(json);
  const value = parse(json.toString("utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed("The token's JSON is not an object");
  }
  if (freezeMembers(value) !== members) throw malformed("The token's JSON has a name twice");
  return value as FrozenObject;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("The token has a part that is not JSON");
  }
}

/**
 * Counts the members of all objects in one pass. JSON.parse keeps the last of two members with one name, so a text
 * with more members than what was parsed from it has a name twice. Grammar is left to the parser.
 */
function countMembers(json: Buffer): number {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at + 1);
        break;
      case COLON:
        members += 1;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        depth += 1;
        if (depth > DEPTH_MAX) throw malformed("The token's JSON is nested too deeply");
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
    }
  }
  return members;
}

/** Where the string ends whose first byte is at `from`. */
function endOfString(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) {
    at = json[at] === BACKSLASH ? endOfEscape(json, at) : at + 1;
  }
  return at;
}

/** The first byte behind the escape at `from`; a surrogate pair is one escape. */
function endOfEscape(json: Buffer, from: number): number {
  if (json[from + 1] !== LETTER_U) return from + 2;
  const unit = codeUnit(json, from);
  if (unit < 0xd800 || unit > 0xdfff) return from + 6;
  const isPair = json[from + 6] === BACKSLASH && json[from + 7] === LETTER_U;
  const low = isPair ? codeUnit(json, from + 6) : 0;
  if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) {
    throw malformed("The token's JSON has half of a surrogate pair");
  }
  return from + 12;
}

/** Value of the escape at `from`, such as `\u00e9`; 0 when its digits are none, which the parser refuses. */
function codeUnit(json: Buffer, from: number): number {
  return Number.parseInt(json.toString("latin1", from + 2, from + 6), 16) || 0;
}

function freezeMembers(value: object): number {
  Object.freeze(value);
  if (Array.isArray(value)) return freezeAll(value);
  if (Object.hasOwn(value, "__proto__") || Object.hasOwn(value, "constructor")) {
    throw malformed("The token's JSON has a name with a meaning in JavaScript");
  }
  const inner = Object.values(value);
  return inner.length + freezeAll(inner);
}

function freezeAll(values: readonly unknown[]): number {
  let members = 0;
  for (const value of values) {
    if (typeof value === "object" && value !== null) members += freezeMembers(value);
  }
  return members;
}
