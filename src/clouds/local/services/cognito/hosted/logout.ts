import { cookieOf, SESSION_COOKIE, setCookie } from "./cookies.ts";
import { basePath, type HostedCall, type HostedReply, redirect } from "./hosted-call.ts";
import { problemPage } from "./pages.ts";
import { readParameters } from "./parameters.ts";

/** `GET logout`: ends the session of the pages; tokens that are out go on. */
export async function logout(call: HostedCall): Promise<HostedReply> {
  const { cognito, pool, request } = call;
  const target = targetOf(call);
  if (target === null)
    return problemPage("The logout_uri is not one of the client's sign-out URLs.");
  const token = cookieOf(request, SESSION_COOKIE);
  if (token !== null) await cognito.store.commit(() => cognito.store.browserSessions.delete(token));
  return redirect(target, { "set-cookie": setCookie(pool, SESSION_COOKIE, "", 0) });
}

/** One of the client's sign-out URLs; or the login again, which checks its own query. */
function targetOf({ cognito, pool, query }: HostedCall): string | null {
  const parameters = readParameters(query);
  const client = cognito.store.clients.find(parameters?.["client_id"] ?? "");
  if (parameters === null || client === null || client.pool !== pool.id) return null;
  const uri = parameters["logout_uri"];
  if (uri !== undefined) return client.logoutUrls.includes(uri) ? uri : null;
  return parameters["redirect_uri"] === undefined ? null : `${basePath(pool)}/login?${query}`;
}
