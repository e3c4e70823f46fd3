import type { Parse } from "./parse.ts";

type Unit = "second" | "seconds" | "minute" | "minutes" | "hour" | "hours" | "day" | "days";

/** A span of time, such as `"20 seconds"` or `"1 minute"`. */
export type Duration = `${number} ${Unit}`;

const DURATION = /^(\d{1,9}) (second|minute|hour|day)s?$/;
const UNIT_SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;

/** Parses a {@link Duration} into whole seconds within bounds, both included. */
export function durationSeconds(least: number, most: number): Parse<number> {
  return (value, at) => {
    const match = typeof value === "string" ? DURATION.exec(value) : null;
    if (match === null) {
      throw at.invalid(value, 'a duration such as "20 seconds", "5 minutes" or "1 hour"');
    }
    const seconds = Number(match[1]) * UNIT_SECONDS[match[2] as keyof typeof UNIT_SECONDS];
    if (seconds < least || seconds > most) {
      throw at.invalid(value, `between ${least} and ${most} seconds`);
    }
    return seconds;
  };
}
