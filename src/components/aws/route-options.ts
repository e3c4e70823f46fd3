import { isPlainObject, type Members, object, type Parse } from "../options/parse.ts";
import type { Place } from "../options/place.ts";
import { Output } from "../output.ts";
import { Auth, type ProtectedBy } from "./auth.ts";
import { FUNCTION_NOT_YET, type FunctionBaseArgs, functionBase } from "./function-options.ts";

/** Options of a route that is written as one object. */
export interface RouteArgs extends FunctionBaseArgs {
  /** Who protects the route. `false` says that it is public on purpose. */
  auth?: Auth | false;
}

/** Options behind a handler. */
export interface RouteOptions {
  /** Who protects the route. `false` says that it is public on purpose. */
  auth?: Auth | false;
}

/** What protects a route, or null for one that is public. */
const auth: Parse<ProtectedBy | null> = (value, at) => {
  if (value === undefined || value === false) return null;
  const protectedBy = Auth.protecting(value);
  if (protectedBy !== null) return protectedBy;
  throw at.invalid(
    value,
    "a scrim.aws.Auth, or false for a route that is public on purpose",
    'Create one with new scrim.aws.Auth("Auth", { authorizer: { handler: "src/auth.handler" } }).',
  );
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
  const { auth: behind } = optionsObject(options === undefined ? {} : options, at);
  if (typeof handler === "string") return { ...routeObject({ handler }, at), auth: behind };
  if (isPlainObject(handler)) {
    refuseTwoAuths(handler, options, at);
    const parsed = routeObject(handler, at);
    return { ...parsed, auth: parsed.auth ?? behind };
  }
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

function refuseTwoAuths(handler: object, options: unknown, at: Place): void {
  if (!isPlainObject(options)) return;
  if (!Object.hasOwn(handler, "auth") || !Object.hasOwn(options, "auth")) return;
  throw at.problem("OPTION_INVALID", `${at} has the option \`auth\` twice`, {
    hint: "Keep the one that is meant.",
  });
}

function hint(handler: unknown): string | undefined {
  if (handler instanceof Output) return "A route to an existing function is not available yet.";
  if (typeof handler === "object" && handler !== null && "getLink" in handler) {
    return "A route to a function component is not available yet: write its handler here.";
  }
  return undefined;
}
