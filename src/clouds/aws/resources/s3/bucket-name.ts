import { createHash } from "node:crypto";
import type { AwsPlace } from "../place.ts";

/** A hyphen and eight hex digits. */
export const PLACE_LENGTH = 9;

/**
 * The name of a bucket. All accounts of the world share one space of names, so account and region are a part of it:
 * the same stage in two accounts has two buckets.
 *
 * @param physicalName at most {@link PLACE_LENGTH} characters shorter than a bucket's name may be
 */
export function bucketName(physicalName: string, { account, region }: AwsPlace): string {
  const digest = createHash("sha256").update(`bucket v1\0${account}\0${region}`).digest("hex");
  return `${physicalName}-${digest.slice(0, PLACE_LENGTH - 1)}`;
}
