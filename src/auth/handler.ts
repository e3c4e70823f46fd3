import { authErrorOf } from "./auth-error-of.ts";
import type { RequestEvent } from "./http/request-event.ts";
import { type HttpResponse, textResponse } from "./http/response.ts";
import { logRefusal } from "./log.ts";

/**
 * Makes a handler that answers 401 with `Unauthorized`, `Invalid token` or `Token expired` when `handle` throws what
 * `bearer`, an adapter or `verifyToken` throws. Other errors pass.
 *
 * @throws TypeError when `handle` is not a function
 * @example
 * import { auth } from "scrim/auth";
 * import { AuthAdapter } from "scrim/auth/adapter";
 *
 * const adapter = AuthAdapter.oidc({ issuer: "https://issuer.example", audience: "notes" });
 *
 * export const handler = auth.handler(async (event) => {
 *   const user = await adapter.verify(event);
 *   return { statusCode: 200, body: `Hello ${user.email}` };
 * });
 */
export function handler<Result, Event = RequestEvent, Context = unknown>(
  handle: (event: Event, context: Context) => Result | Promise<Result>,
): (event: Event, context: Context) => Promise<Result | HttpResponse> {
  if (typeof handle !== "function") throw new TypeError("auth.handler() needs a function");
  return async (event, context) => {
    try {
      return await handle(event, context);
    } catch (error) {
      const refusal = authErrorOf(error);
      if (refusal === null) throw error;
      logRefusal("Request refused", refusal, event);
      return textResponse(refusal.statusCode, refusal.body);
    }
  };
}
