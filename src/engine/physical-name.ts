import { hash } from "node:crypto";
import type { Urn } from "../model/urn.ts";
import type { ResourceHandler } from "./handler.ts";

/** Everything a physical name is made of; equal parts, equal name, before the first deploy as after the last. */
export interface NameParts {
  readonly app: string;
  readonly stage: string;
  readonly urn: Urn;
  /** Logical name, for people to recognise. */
  readonly name: string;
  readonly generation: number;
  readonly naming: ResourceHandler["naming"];
}

/** 50 bits: two of a million names of one account are equal with a chance of 1 in 2,000. */
const HASH_LENGTH = 10;
/** What a part keeps of its text while the next part still has more. */
const KEPT_MIN = 4;

/**
 * `<app>-<stage>-<name>-<hash>`. The hash alone makes it unique (exact case, generation), so the rest may be
 * shortened: first the app, then the stage, then the name.
 *
 * @example
 * physicalName({ app: "notes", stage: "alice", urn: "t::Uploads" as Urn, name: "Uploads", generation: 1, naming });
 * // "notes-alice-Uploads-2llhvd2f7k"
 */
export function physicalName(parts: NameParts): string {
  const unique = nameHash(parts);
  const { maxLength, lowerCase } = parts.naming;
  if (maxLength < HASH_LENGTH) throw new Error(`no name of ${maxLength} characters is unique`);
  const readable = [parts.app, parts.stage, parts.name].map(plainText);
  const name = [...shorten(readable, maxLength - HASH_LENGTH), unique]
    .filter((part) => part !== "")
    .join("-");
  return lowerCase ? name.toLowerCase() : name;
}

function plainText(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** Shortens the parts so that together, each followed by a hyphen, they have at most `lengthMax` characters. */
function shorten(parts: readonly string[], lengthMax: number): readonly string[] {
  let over = parts.reduce((sum, part) => sum + part.length + 1, 0) - lengthMax;
  const cut = (part: string, kept: number): string => {
    const removed = Math.min(Math.max(over, 0), Math.max(part.length - kept, 0));
    over -= removed;
    return part.slice(0, part.length - removed);
  };
  const first = parts.map((part, index) => cut(part, index === 2 ? 0 : KEPT_MIN));
  return over > 0 ? [] : first.map((part) => part.replace(/-$/, ""));
}

function nameHash({ app, stage, urn, generation }: NameParts): string {
  const text = ["v1", app, stage, urn, String(generation)].join("\0");
  return base32(hash("sha256", text, "buffer"), HASH_LENGTH);
}

/** The first characters of RFC 4648 base32, lower case. */
function base32(bytes: Uint8Array, length: number): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  let text = "";
  for (let index = 0; index < length; index += 1) {
    const bit = index * 5;
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += alphabet.charAt((pair >> (11 - (bit & 7))) & 31);
  }
  return text;
}
