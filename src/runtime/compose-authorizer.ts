import { authorize, type Denied, isAllowed } from "../auth/authorize.ts";
import { memberOf } from "../auth/http/request-event.ts";
import { textResponse } from "../auth/http/response.ts";
import { callHandler, type Handler } from "./call-handler.ts";
import { sendableRefusal } from "./sendable-refusal.ts";

/**
 * Puts an authorizer in front of a handler, in one function. The handler runs only for a user that the authorizer
 * returned, and reads `requestContext.authorizer.userId` and `.email`; every other request is answered here, with 401
 * unless the authorizer returned a refusal of its own.
 *
 * @throws TypeError when the handler is no function, so that the mistake is told where the function starts
 */
export function composeAuthorizer(authorizer: unknown, handler: unknown): Handler {
  if (!isHandler(handler)) throw new TypeError("The handler of the route is not a function");
  return async (event, context) => {
    const access = await authorize(guarded(authorizer, event), event, context);
    if (!isAllowed(access)) return refusal(access);
    return callHandler(handler, authorized(event, access.user), context);
  };
}

/**
 * The authorizer with an event of its own, so that nothing it changes reaches the handler, and without the members of
 * the context that end the invocation.
 */
function guarded(authorizer: unknown, event: unknown) {
  return async (_: unknown, context: unknown): Promise<unknown> => {
    if (!isHandler(authorizer)) throw new TypeError("The authorizer is not a function");
    return authorizer(structuredClone(event), withoutEndings(context));
  };
}

function withoutEndings(context: unknown): object {
  const members = Object.entries(asObject(context));
  return Object.fromEntries(members.filter(([name]) => !ENDINGS.has(name)));
}

const ENDINGS: ReadonlySet<string> = new Set(["done", "fail", "succeed"]);

/** What the client sent in the authorizer's place is gone: the context of a request is made here, member by member. */
function authorized(
  event: unknown,
  { id, email }: { readonly id: string; readonly email?: string },
) {
  const request = asObject(event);
  const authorizer = email === undefined ? { userId: id } : { userId: id, email };
  return {
    ...request,
    requestContext: { ...asObject(memberOf(request, "requestContext")), authorizer },
  };
}

/** Plain text that no cache keeps, unless the authorizer says otherwise. */
function refusal(access: Denied): Denied {
  const { headers = {}, ...rest } = sendableRefusal(access);
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const usual = Object.entries(textResponse(access.statusCode, access.body).headers ?? {});
  const missing = usual.filter(([name]) => !given.has(name.toLowerCase()));
  return { ...rest, headers: { ...Object.fromEntries(missing), ...headers } };
}

function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
