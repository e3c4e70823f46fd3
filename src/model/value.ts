import type { Json, JsonObject } from "./json.ts";
import type { Urn } from "./urn.ts";

/** One output of a resource, known once that resource exists. `output` is a key of its outputs. */
export class Ref {
  readonly urn: Urn;
  readonly output: string;

  constructor(urn: Urn, output: string) {
    this.urn = urn;
    this.output = output;
  }
}

/**
 * A value computed from others (`.apply`, `$interpolate`). `compute` gets plain JSON in the order of `inputs`
 * and must be pure: it runs at plan time when all inputs are known, else during apply.
 */
export class Computed {
  readonly inputs: readonly Value[];
  readonly compute: (values: readonly Json[]) => Value;

  constructor(inputs: readonly Value[], compute: (values: readonly Json[]) => Value) {
    this.inputs = inputs;
    this.compute = compute;
  }
}

/** A known value that must never be stored or printed in clear, such as a secret. */
export class Sensitive {
  readonly value: Json;

  constructor(value: Json) {
    this.value = value;
  }

  /** Keeps the value out of logs, errors and JSON by accident. */
  toJSON(): string {
    return "[sensitive]";
  }

  toString(): string {
    return "[sensitive]";
  }
}

/** What a goal's inputs are made of. */
export type Value = Json | Ref | Computed | Sensitive | readonly Value[] | ValueObject;

export interface ValueObject {
  readonly [key: string]: Value;
}

/** How a sensitive value stands in state: a keyed hash (HMAC-SHA256, hex) of its canonical JSON. */
export interface Sealed {
  readonly $sealed: string;
}

/** Inputs as state keeps them: JSON in which every sensitive value is a {@link Sealed}. */
export type StoredInputs = JsonObject;
