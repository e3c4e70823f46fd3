import { linked, linkedNames } from "./links.ts";

/**
 * What a function is linked to, by name: `Resource.Uploads.name`. The names and their properties are declared by
 * the generated `scrim-env.d.ts`, which adds to this interface.
 */
export interface Resource {
  /** The app and the stage that this code runs in. */
  readonly App: { readonly name: string; readonly stage: string };
}

/**
 * Reads links when they are first used, so that importing it costs nothing and works everywhere.
 *
 * @throws Error when the name is not linked, or when the code does not run in a function
 * @example
 * import { Resource } from "scrim";
 * const bucket = Resource.Uploads.name;
 */
export const Resource: Resource = new Proxy({} as Resource, {
  get: (_, name) => (isLinkName(name) ? linked(name) : undefined),
  has: (_, name) => isLinkName(name) && linkedNames().includes(name),
  ownKeys: () => linkedNames(),
  getOwnPropertyDescriptor: (_, name) =>
    isLinkName(name) && linkedNames().includes(name)
      ? { value: linked(name), enumerable: true, configurable: true }
      : undefined,
  set: () => false,
  deleteProperty: () => false,
  defineProperty: () => false,
});

/** The language itself asks every object for these two, for example in `await` and `JSON.stringify`. */
function isLinkName(name: string | symbol): name is string {
  return typeof name === "string" && name !== "then" && name !== "toJSON";
}
