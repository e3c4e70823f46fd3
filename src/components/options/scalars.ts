import type { Parse } from "./parse.ts";
import { suggest } from "./suggest.ts";

/** Any string, the empty one included. */
export const string: Parse<string> = (value, at) => {
  if (typeof value !== "string") throw at.invalid(value, "a string");
  return value;
};

/** A string that holds more than white space. */
export const text: Parse<string> = (value, at) => {
  if (typeof value !== "string" || value.trim() === "") {
    throw at.invalid(value, "a string that is not empty");
  }
  return value;
};

/** `true` or `false`; never a string that looks like one. */
export const boolean: Parse<boolean> = (value, at) => {
  if (typeof value !== "boolean") throw at.invalid(value, "true or false");
  return value;
};

/** A whole number within bounds, both included. */
export function integer(least: number, most: number): Parse<number> {
  return (value, at) => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      throw at.invalid(value, `a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

/** One of the given words, exactly. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Parse<Word> {
  return (value, at) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    const meant = typeof value === "string" ? suggest(value, words) : null;
    const wanted = words.map((word) => JSON.stringify(word)).join(" or ");
    throw at.invalid(value, wanted, meant === null ? undefined : `Did you mean "${meant}"?`);
  };
}

/** A string of a form, described in words for the message. */
export function matching(form: RegExp, inWords: string): Parse<string> {
  return (value, at) => {
    if (typeof value !== "string" || !form.test(value)) throw at.invalid(value, inWords);
    return value;
  };
}
