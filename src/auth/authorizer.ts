import { type Access, authorize } from "./authorize.ts";
import type { RequestEvent } from "./http/request-event.ts";

/** What an authorizer may return: a user, or the response that refuses the request. */
export interface AuthorizerAnswer {
  readonly statusCode?: number;
  readonly user?: { readonly id: string; readonly email?: string } | null;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Makes an authorizer of a function. What comes out never throws and lets in nobody but a user with an `id`:
 * `{ statusCode, user: { id, email } }`, or `{ statusCode, body }`. Throw what `bearer`, an adapter or `verifyToken`
 * throws: it becomes the right answer.
 *
 * @throws TypeError when `decide` is not a function
 * @example
 * import { auth } from "scrim/auth";
 * import { AuthAdapter } from "scrim/auth/adapter";
 *
 * const adapter = AuthAdapter.oidc({ issuer: "https://issuer.example", audience: "notes" });
 *
 * export const handler = auth.authorizer(async (event) => ({ user: await adapter.verify(event) }));
 */
export function authorizer<Event = RequestEvent, Context = unknown>(
  decide: (
    event: Event,
    context: Context,
  ) => AuthorizerAnswer | null | undefined | Promise<AuthorizerAnswer | null | undefined>,
): (event: Event, context?: Context) => Promise<Access> {
  if (typeof decide !== "function") throw new TypeError("auth.authorizer() needs a function");
  return (event, context) => authorize(decide, event, context);
}
