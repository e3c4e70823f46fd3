import type { AuthorizedEvent } from "scrim/auth";
import { type HttpResponse, json } from "./http.ts";

/** GET /me, for whoever is signed in */
export async function show(event: AuthorizedEvent): Promise<HttpResponse> {
  const { userId, email } = event.requestContext.authorizer;
  return json(200, { userId, email });
}
