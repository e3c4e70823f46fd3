import type { Parse } from "./parse.ts";

/** An amount of memory, such as `"1024 MB"` or `"2 GB"`. */
export type Size = `${number} ${"MB" | "GB"}`;

const SIZE = /^(\d{1,6}(?:\.\d{1,3})?) (MB|GB)$/;

/** Parses a {@link Size} into whole mebibytes within bounds, both included; 1 GB is 1024 MB. */
export function sizeMb(least: number, most: number): Parse<number> {
  return (value, at) => {
    const match = typeof value === "string" ? SIZE.exec(value) : null;
    if (match === null) throw at.invalid(value, 'a size such as "1024 MB" or "1 GB"');
    const megabytes = Number(match[1]) * (match[2] === "GB" ? 1024 : 1);
    if (!Number.isInteger(megabytes) || megabytes < least || megabytes > most) {
      throw at.invalid(value, `a whole number of MB from ${least} to ${most}`);
    }
    return megabytes;
  };
}
