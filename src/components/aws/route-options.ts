import { isPlainObject, type Members, object, type Parse } from "../options/parse.ts";
import type { Place } from "../options/place.ts";
import { Output } from "../output.ts";
import { FUNCTION_NOT_YET, type FunctionBaseArgs, functionBase } from "./function-options.ts";

/** Options of a route that is written as one object. */
export interface RouteArgs extends FunctionBaseArgs {
  /** `false` says that the route is public on purpose. */
  auth?: false;
}

/** Options behind a handler. */
export interface RouteOptions {
  /** `false` says that the route is public on purpose. */
  auth?: false;
}

/** Checks `auth` where it is present: a key that is there but undefined must not make a route public. */
const auth: Parse<null> = (value, at) => {
  if (value === undefined || value === false) return null;
  throw at.problem("OPTION_NOT_AVAILABLE", `${at} is not available yet`, {
    hint: "Check the token in the handler for now, and leave `auth` out or set it to false.",
  });
};

const routeObject = object(
  { ...functionBase, auth } satisfies Members<RouteArgs>,
  FUNCTION_NOT_YET,
);

const optionsObject = object({ auth } satisfies Members<RouteOptions>, ["name", "transform"]);

/** The arguments of `api.route` behind the route key: a handler with options, or one object with both. */
export function parseRoute(
  handler: unknown,
  options: unknown,
  at: Place,
): ReturnType<typeof routeObject> {
  refuseUndefinedAuth(handler, at);
  refuseUndefinedAuth(options, at);
  if (options !== undefined) optionsObject(options, at);
  if (typeof handler === "string") return routeObject({ handler }, at);
  if (isPlainObject(handler)) return routeObject(handler, at);
  throw at
    .key("handler")
    .invalid(handler, 'a handler such as "src/notes.list", or an object', hint(handler));
}

function refuseUndefinedAuth(options: unknown, at: Place): void {
  if (!isPlainObject(options) || !Object.hasOwn(options, "auth")) return;
  if (options["auth"] !== undefined) return;
  const place = at.key("auth");
  throw place.problem("AUTH_UNDEFINED", `${place} is undefined`, {
    why: "A route with `auth` must never become public by accident. Usually the value is used before it was created, or two files import each other.",
    hint: "Create it before the route and check the order of imports; write `auth: false` for a public route.",
  });
}

function hint(handler: unknown): string | undefined {
  if (handler instanceof Output) return "A route to an existing function is not available yet.";
  if (typeof handler === "object" && handler !== null && "getLink" in handler) {
    return "A route to a function component is not available yet: write its handler here.";
  }
  return undefined;
}
