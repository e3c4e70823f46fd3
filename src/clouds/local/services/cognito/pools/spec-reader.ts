import { fail } from "../../../../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../../../../model/json.ts";

/**
 * Reads members of a resource's spec; a member that is missing or of another form is refused with
 * `USER_POOL_SPEC_INVALID`.
 */
export class SpecReader {
  readonly #name: string;
  readonly #spec: JsonObject;

  constructor(name: string, spec: JsonObject) {
    this.#name = name;
    this.#spec = spec;
  }

  text(key: string): string {
    const value = this.#spec[key];
    if (typeof value === "string" && value !== "") return value;
    throw this.invalid(key, "text");
  }

  flag(key: string): boolean {
    const value = this.#spec[key];
    if (typeof value === "boolean") return value;
    throw this.invalid(key, "true or false");
  }

  count(key: string, least: number, most: number): number {
    const value = this.#spec[key];
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most)
      return value;
    throw this.invalid(key, `a whole number from ${least} to ${most}`);
  }

  texts(key: string): readonly string[] {
    const value = this.#spec[key];
    if (!Array.isArray(value)) throw this.invalid(key, "a list of text");
    return value.map((item: Json) => {
      if (typeof item !== "string") throw this.invalid(key, "a list of text");
      return item;
    });
  }

  /** A list of some of the given words. */
  words<const Word extends string>(key: string, words: readonly Word[]): readonly Word[] {
    return this.texts(key).map((text) => {
      const found = words.find((word) => word === text);
      if (found === undefined) throw this.invalid(key, `a list of ${words.join(", ")}`);
      return found;
    });
  }

  part(key: string): SpecReader {
    const value = this.#spec[key];
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw this.invalid(key, "an object");
    return new SpecReader(this.#name, value as JsonObject);
  }

  invalid(key: string, expected: string): Error {
    return fail("USER_POOL_SPEC_INVALID", `${key} of ${this.#name} is not ${expected}`, {
      hint: "Correct the option, or the transform that sets it.",
    });
  }
}
