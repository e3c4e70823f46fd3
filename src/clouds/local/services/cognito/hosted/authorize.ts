import { readAuthorizeRequest } from "./authorize-request.ts";
import { cookieOf, SESSION_COOKIE } from "./cookies.ts";
import { basePath, type HostedCall, type HostedReply, redirect } from "./hosted-call.ts";
import { issueCode } from "./issue-code.ts";
import { problemPage } from "./pages.ts";

/** `GET oauth2/authorize`: a code at once for who is signed in on the pages, else the login. */
export async function authorize(call: HostedCall): Promise<HostedReply> {
  const answer = readAuthorizeRequest(call);
  if (answer.kind === "refused") return problemPage(answer.why);
  if (answer.kind === "error") return redirect(answer.location);
  const session = findSession(call);
  if (session !== null)
    return await issueCode(call, answer.request, session.username, session.authMs);
  return redirect(`${basePath(call.pool)}/login?${call.query}`);
}

function findSession({ cognito, pool, request }: HostedCall) {
  const token = cookieOf(request, SESSION_COOKIE);
  if (token === null) return null;
  const session = cognito.store.browserSessions.find(pool.id, token, cognito.now());
  const user = session && cognito.store.users.get(pool.id, session.username);
  return user?.enabled && user.status === "CONFIRMED" ? session : null;
}
