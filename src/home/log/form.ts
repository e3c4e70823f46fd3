/** Something read from a store is not of the form that it should be. The message says which part. */
export class FormError extends Error {
  override readonly name = "FormError";
}

/** A JSON object whose members are not known yet. */
export type Unparsed = Readonly<Record<string, unknown>>;

/** @throws FormError */
export function objectOf(value: unknown, what: string): Unparsed {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Unparsed;
  throw new FormError(`its ${what} is not an object`);
}

/** @throws FormError */
export function objectAt(object: Unparsed, key: string): Unparsed {
  return objectOf(object[key], key);
}

/** @throws FormError */
export function listAt(object: Unparsed, key: string): readonly unknown[] {
  const value = object[key];
  if (Array.isArray(value)) return value;
  throw new FormError(`its ${key} is not a list`);
}

/** @throws FormError */
export function textAt(object: Unparsed, key: string): string {
  const value = object[key];
  if (typeof value === "string") return value;
  throw new FormError(`its ${key} is not a text`);
}

/** @throws FormError */
export function textsAt<Text extends string = string>(
  object: Unparsed,
  key: string,
): readonly Text[] {
  const list = listAt(object, key);
  if (list.every((item) => typeof item === "string")) return list as readonly Text[];
  throw new FormError(`its ${key} is not a list of texts`);
}

/** A whole number of 0 or more. @throws FormError */
export function intAt(object: Unparsed, key: string): number {
  const value = object[key];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new FormError(`its ${key} is not a whole number`);
}

/** @throws FormError */
export function flagAt(object: Unparsed, key: string): boolean {
  const value = object[key];
  if (typeof value === "boolean") return value;
  throw new FormError(`its ${key} is neither true nor false`);
}

/** One of a closed set of words. @throws FormError */
export function wordAt<Word extends string>(
  object: Unparsed,
  key: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === object[key]);
  if (found !== undefined) return found;
  throw new FormError(`its ${key} is none of ${words.join(", ")}`);
}
