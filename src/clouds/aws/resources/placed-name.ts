import { createHash } from "node:crypto";
import type { AwsPlace } from "./place.ts";

/** A hyphen and eight hex digits. */
export const PLACE_LENGTH = 9;

/**
 * The name of what all accounts of the world share one space of names for, such as buckets: account and region are a
 * part of it, so that the same stage in two accounts has two.
 *
 * @param physicalName at least {@link PLACE_LENGTH} characters shorter than the name may be
 */
export function placedName(physicalName: string, { account, region }: AwsPlace): string {
  const digest = createHash("sha256").update(`place v1\0${account}\0${region}`).digest("hex");
  return `${physicalName}-${digest.slice(0, PLACE_LENGTH - 1)}`;
}
