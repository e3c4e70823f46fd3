import type { SourceLocation } from "../model/diagnostic.ts";

/** Finds the place in the user's source that a stack trace points at. */
export interface Locator {
  /**
   * @param stack the text of a stack trace, frames from the innermost out
   * @param key an option's name to look for from that place on, so that the answer is the very line of a misspelled option
   * @returns null when no frame lies in the user's config
   */
  locate(stack: string, key: string | null): SourceLocation | null;
}

/** A place in the user's source, told when asked. */
export interface Site {
  /** The place itself, or null when it cannot be told. */
  location(): SourceLocation | null;
  /** The line on which the option `key` is written there; the place itself when it is not found. */
  locationOf(key: string): SourceLocation | null;
}

/** Something that can be called or constructed, whose frame a trace begins behind. */
// biome-ignore lint/complexity/noBannedTypes: what Error.captureStackTrace takes
export type Callee = Function;

/**
 * Where in the user's config something was called. Taking one costs a few microseconds; the text of the trace and
 * the source map are only touched when somebody asks, which normally nobody does.
 */
export class CallSite implements Site {
  readonly #trace: { readonly stack?: string } = {};
  readonly #locator: Locator | null;
  #location: SourceLocation | null | undefined;

  /** @param callee its frame and all above it are left out, so that the trace begins at its caller */
  constructor(locator: Locator | null, callee: Callee) {
    this.#locator = locator;
    Error.captureStackTrace(this.#trace, callee);
  }

  location(): SourceLocation | null {
    this.#location ??= this.#find(null);
    return this.#location;
  }

  locationOf(key: string): SourceLocation | null {
    return this.#find(key) ?? this.location();
  }

  #find(key: string | null): SourceLocation | null {
    return this.#locator?.locate(this.#trace.stack ?? "", key) ?? null;
  }
}
