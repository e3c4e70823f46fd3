import { type Diagnostic, DiagnosticError } from "../../model/diagnostic.ts";
import type { Place } from "./place.ts";
import { didYouMean } from "./suggest.ts";

/** Turns what a user wrote at a place into a checked value, or throws a DiagnosticError that names the place. */
export type Parse<T> = (value: unknown, at: Place) => T;

/** One parser for each option of `Args`; with `satisfies` neither side can forget the other. */
export type Members<Args> = Readonly<Record<keyof Args, Parse<unknown>>>;

type Parsed<Shape> = { -readonly [K in keyof Shape]: Shape[K] extends Parse<infer T> ? T : never };

/** Whether a value is an object literal, as opposed to an array or an instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Leaves an option out: `undefined` gives `fallback`, anything else is parsed. */
export function optional<T>(parse: Parse<T>, fallback: NoInfer<T>): Parse<T>;
export function optional<T>(parse: Parse<T>, fallback: null): Parse<T | null>;
export function optional<T>(parse: Parse<T>, fallback: T | null): Parse<T | null> {
  return (value, at) => (value === undefined ? fallback : parse(value, at));
}

/**
 * An object with exactly these options. Every problem in it is reported, not only the first.
 *
 * @param notYet options that users of comparable tools know and that this one does not have yet
 */
export function object<const Shape extends Readonly<Record<string, Parse<unknown>>>>(
  shape: Shape,
  notYet: readonly string[] = [],
): Parse<Parsed<Shape>> {
  const known = Object.keys(shape);
  return (value, at) => {
    if (!isPlainObject(value)) throw at.invalid(value, "an object");
    const problems: Diagnostic[] = [];
    const parsed: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(shape, key)) {
        problems.push(...unknownOption(key, known, notYet, at).diagnostics);
      }
    }
    for (const key of known) {
      const given = Object.hasOwn(value, key) ? value[key] : undefined;
      collect(problems, () => {
        parsed[key] = shape[key]?.(given, at.key(key));
      });
    }
    throwAll(problems);
    return parsed as Parsed<Shape>;
  };
}

function unknownOption(
  key: string,
  known: readonly string[],
  notYet: readonly string[],
  at: Place,
): DiagnosticError {
  const place = at.key(key);
  if (notYet.includes(key)) {
    return place.problem("OPTION_NOT_AVAILABLE", `${place} is not available yet`, {
      hint: `Leave it out. Available: ${known.join(", ")}.`,
    });
  }
  return place.problem("OPTION_UNKNOWN", `unknown ${place}`, {
    hint: didYouMean(key, known, "options"),
  });
}

/** Runs `body` and keeps the problems it throws instead of throwing them. */
export function collect(problems: Diagnostic[], body: () => void): void {
  try {
    body();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    problems.push(...error.diagnostics);
  }
}

/** Throws what was collected, as one error. */
export function throwAll(problems: readonly Diagnostic[]): void {
  const [first, ...more] = problems;
  if (first !== undefined) throw new DiagnosticError(first, ...more);
}

/** An object whose keys the user chooses. */
export function record<T>(
  parse: Parse<T>,
  checkKey: (key: string, at: Place) => void = () => {},
): Parse<Readonly<Record<string, T>>> {
  return (value, at) => {
    if (!isPlainObject(value)) throw at.invalid(value, "an object");
    const problems: Diagnostic[] = [];
    const entries: [string, T][] = [];
    for (const [key, member] of Object.entries(value)) {
      collect(problems, () => {
        checkKey(key, at.key(key));
        entries.push([key, parse(member, at.key(key))]);
      });
    }
    throwAll(problems);
    return Object.fromEntries(entries);
  };
}

/** An array, each element by the same parser. */
export function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw at.invalid(value, "an array");
    const problems: Diagnostic[] = [];
    const items: T[] = [];
    Array.from(value).forEach((item: unknown, index) => {
      collect(problems, () => {
        items.push(parse(item, at.index(index)));
      });
    });
    throwAll(problems);
    return items;
  };
}
