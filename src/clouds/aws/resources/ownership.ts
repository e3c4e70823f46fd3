import { createHash } from "node:crypto";
import type { OwnershipTags } from "../../../engine/handler.ts";

export type Tags = Readonly<Record<string, string>>;

/** IAM's limit, which is that of all services. */
const VALUE_LENGTH_MAX = 256;

/** Ownership tags as every service takes them. */
export function tagsFor(tags: OwnershipTags): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, tagValue(value)]));
}

/** The same as a list. */
export function tagList(tags: OwnershipTags): { readonly Key: string; readonly Value: string }[] {
  return Object.entries(tagsFor(tags)).map(([Key, Value]) => ({ Key, Value }));
}

/** A list of tags as an object. */
export function tagsIn(
  list: readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[] = [],
): Tags {
  return Object.fromEntries(list.map(({ Key = "", Value = "" }) => [Key, Value]));
}

/** Whether these are exactly our tags; others beside them do not matter. */
export function areOurs(found: Tags, tags: OwnershipTags): boolean {
  return Object.entries(tagsFor(tags)).every(([key, value]) => found[key] === value);
}

/** Whose these tags are, in words. */
export function ownerIn(found: Tags): string {
  const { "scrim:app": app, "scrim:stage": stage, "scrim:lineage": lineage } = found;
  if (app === undefined || stage === undefined) return "someone who did not make it with scrim";
  return `app ${app}, stage ${stage}, lineage ${lineage ?? "unknown"}`;
}

/**
 * Services take letters, digits, spaces and `_.:/=+-@` in a tag, and no text that starts with `aws:`
 * (docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html). The paths of routes hold more.
 */
function tagValue(text: string): string {
  const written = text
    .replace(/[^A-Za-z0-9 _.:/+@-]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `=${byte.toString(16).toUpperCase()}`).join(""),
    )
    .replace(/^aws:/i, (prefix) => prefix.replace(":", "=3A"));
  if (written.length <= VALUE_LENGTH_MAX) return written;
  const digest = createHash("sha256").update(text).digest("hex");
  return `${written.slice(0, VALUE_LENGTH_MAX - digest.length - 1)}=${digest}`;
}
