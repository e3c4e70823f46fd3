import { DiagnosticError, fail } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { CallSite } from "./call-site.ts";
import { currentLocator, insideApply } from "./evaluation.ts";
import { ComponentComputed, type NodeValue } from "./node.ts";
import { Place } from "./options/place.ts";
import { toNodeValue } from "./to-node-value.ts";

/** A value that may be known only after the deploy. */
export type Input<T> = T | Output<T>;

/**
 * A value that is known once something is deployed, such as the URL of an API. It can be passed to options, returned
 * from `run()`, put into `$interpolate` and changed with `.apply`; it cannot be awaited or printed.
 */
export class Output<T> {
  readonly #value: NodeValue;

  /** @internal */
  constructor(value: NodeValue) {
    this.#value = value;
  }

  /**
   * The output that `fn` makes of this one. `fn` must be pure: it runs when the value is known, at plan time or
   * during the deploy, and may run again.
   *
   * @example
   * api.url.apply((url) => new URL(url).host);
   */
  apply<U>(fn: (value: T) => Input<U>): Output<U> {
    const site = new CallSite(currentLocator(), this.apply);
    const compute = ([value]: readonly Json[]): NodeValue => applied(site, () => fn(value as T));
    return new Output(new ComponentComputed([this.#value], compute));
  }

  /** @internal What stands for an output in a node. */
  static valueOf(output: Output<unknown>): NodeValue {
    return output.#value;
  }

  /** @internal */
  get [Symbol.toStringTag](): string {
    return "Output";
  }
}

function applied(site: CallSite, body: () => unknown): NodeValue {
  try {
    return toNodeValue(insideApply(body), new Place("what .apply() returns", site));
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    const source = site.location();
    const message = error instanceof Error ? error.message : String(error);
    throw fail("APPLY_THREW", `The function of .apply() threw: ${message}`, {
      ...(source === null ? {} : { source }),
    });
  }
}

/** Every way in which JavaScript reads a value behind the author's back; the types cannot forbid them. */
const MISUSES: readonly (readonly [string | symbol, string, string])[] = [
  [
    "then",
    "awaited or returned alone from an async function",
    "Use .apply(), or return { output }.",
  ],
  ["toString", "turned into a string", "Use $interpolate`...` instead of a template string."],
  [Symbol.toPrimitive, "turned into a string or number", "Use $interpolate`...` or .apply()."],
  ["toJSON", "turned into JSON", "Use $jsonStringify()."],
];

for (const [key, what, hint] of MISUSES) {
  const read = function (this: unknown): never {
    const source = new CallSite(currentLocator(), read).location();
    throw fail("OUTPUT_MISUSED", `An output was ${what}`, {
      why: "Its value is known only after the deploy; here there is nothing to read yet.",
      hint,
      ...(source === null ? {} : { source }),
    });
  };
  // `then` must already fail when it is looked up: await calls it in a later turn, where the place is lost.
  const member = key === "then" ? { get: read } : { value: read, writable: true };
  Object.defineProperty(Output.prototype, key, { ...member, configurable: true });
}

Object.defineProperty(Output.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value: () => "Output<known after the deploy>",
});
