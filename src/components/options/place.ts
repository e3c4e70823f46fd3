import { type Diagnostic, type DiagnosticError, fail } from "../../model/diagnostic.ts";
import type { Site } from "../call-site.ts";

/** Where a user's value stands: whose option it is, the path of keys to it, and the call it was given to. */
export class Place {
  /** In words, for example `scrim.aws.Function "Resize"`. */
  readonly subject: string;
  readonly site: Site | null;
  readonly #parent: Place | null;
  readonly #step: string | number;

  constructor(
    subject: string,
    site: Site | null,
    parent: Place | null = null,
    step: string | number = "",
  ) {
    this.subject = subject;
    this.site = site;
    this.#parent = parent;
    this.#step = step;
  }

  /** The keys that lead to it, `url.cors.allowOrigins[0]`; put together only when a message needs it. */
  get path(): string {
    if (this.#parent === null) return "";
    const { path } = this.#parent;
    if (typeof this.#step === "number") return `${path}[${this.#step}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(this.#step)) return `${path}[${JSON.stringify(this.#step)}]`;
    return path === "" ? this.#step : `${path}.${this.#step}`;
  }

  /** The place of a member of an object. */
  key(name: string): Place {
    return new Place(this.subject, this.site, this, name);
  }

  /** The place of an element of an array. */
  index(at: number): Place {
    return new Place(this.subject, this.site, this, at);
  }

  /** The place itself, in words: `option \`url.cors\` of scrim.aws.Function "Resize"`. */
  toString(): string {
    return this.path === "" ? this.subject : `option \`${this.path}\` of ${this.subject}`;
  }

  /** The error for a problem here, located at the last key of the path where it can be found. */
  problem(
    code: string,
    message: string,
    rest: Partial<Omit<Diagnostic, "code" | "message" | "source">> = {},
  ): DiagnosticError {
    const key = /([A-Za-z_$][\w$]*)(?:\[\d+\])*$/.exec(this.path)?.[1];
    const source = key === undefined ? this.site?.location() : this.site?.locationOf(key);
    return fail(code, asSentence(message), source ? { ...rest, source } : rest);
  }

  /** The error for a value of the wrong type or form. `wanted` completes "it must be ...". */
  invalid(value: unknown, wanted: string, hint?: string): DiagnosticError {
    const rest = hint === undefined ? {} : { hint };
    if (value === undefined) {
      return this.problem("OPTION_MISSING", `${this} is missing`, {
        why: `It must be ${wanted}.`,
        ...rest,
      });
    }
    return this.problem("OPTION_INVALID", `${this} is ${describe(value)}`, {
      why: `It must be ${wanted}.`,
      ...rest,
    });
  }
}

/** With a capital letter where it begins with a word rather than a name such as `app()` or `scrim.aws.Bucket`. */
function asSentence(message: string): string {
  return message.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** A value in a few words, never longer than a line and never an object's content. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case "string":
      return value.length > 60 ? `${JSON.stringify(value.slice(0, 57))}...` : JSON.stringify(value);
    case "number":
    case "boolean":
      return `the ${typeof value} ${value}`;
    case "object": {
      const name = value.constructor?.name;
      return name === undefined || name === "Object" ? "an object" : `a value of class ${name}`;
    }
    default:
      return `a ${typeof value}`;
  }
}
