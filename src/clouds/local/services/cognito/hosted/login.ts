import type { Cognito } from "../cognito.ts";
import { CognitoError } from "../cognito-error.ts";
import { signInWithPassword } from "../sign-in/guess-password.ts";
import { setOwnPassword } from "../sign-in/set-own-password.ts";
import type { TextMap } from "../stored-json.ts";
import type { User } from "../users/user.ts";
import { type AuthorizeRequest, readAuthorizeRequest } from "./authorize-request.ts";
import { FORM_COOKIE, setCookie } from "./cookies.ts";
import { formToken, isOwnForm } from "./form-token.ts";
import { basePath, type HostedCall, type HostedReply, redirect } from "./hosted-call.ts";
import { finishLogin } from "./issue-code.ts";
import { type FormField, formPage, problemPage } from "./pages.ts";
import { readForm } from "./parameters.ts";

const FORM_COOKIE_SECONDS = 3_600;

/** `GET login`: the form. */
export async function showLogin(call: HostedCall): Promise<HostedReply> {
  return await withRequest(call, async () => loginForm(call, null, 200));
}

/** `POST login`: name and password, or a new password in the place of a temporary one. */
export async function takeLogin(call: HostedCall): Promise<HostedReply> {
  return await withRequest(call, async (request) => {
    const form = readForm(call.request.headers["content-type"], call.body);
    if (form === null) return problemPage("That is not what the form sends.");
    if (!isOwnForm(call, form)) return loginForm(call, "Please try again.", 403);
    try {
      return form["session"] === undefined
        ? await signIn(call, request, form)
        : await renewPassword(call, request, form, form["session"]);
    } catch (error) {
      if (!(error instanceof CognitoError) || error.status >= 500) throw error;
      return form["session"] === undefined || error.type === "NotAuthorizedException"
        ? loginForm(call, error.message, 400)
        : passwordForm(call, form["session"], error.message, 400);
    }
  });
}

async function withRequest(
  call: HostedCall,
  work: (request: AuthorizeRequest) => Promise<HostedReply>,
): Promise<HostedReply> {
  const answer = readAuthorizeRequest(call);
  if (answer.kind === "refused") return problemPage(answer.why);
  if (answer.kind === "error") return redirect(answer.location);
  return await work(answer.request);
}

async function signIn(
  call: HostedCall,
  request: AuthorizeRequest,
  form: TextMap,
): Promise<HostedReply> {
  const { username = "", password = "" } = form;
  const user = await signInWithPassword(call.cognito, request.client, username, password);
  if (user.status !== "FORCE_CHANGE_PASSWORD")
    return await finishLogin(call, request, user, call.cognito.now());
  return passwordForm(call, demandPassword(call.cognito, request, user), null, 200);
}

function demandPassword(cognito: Cognito, request: AuthorizeRequest, user: User): string {
  const challenge = {
    kind: "new-password",
    client: request.client.id,
    username: user.username,
    passwordHash: user.password?.hash ?? "",
    authMs: cognito.now(),
  } as const;
  return cognito.challenges.open(challenge, cognito.now());
}

async function renewPassword(
  call: HostedCall,
  request: AuthorizeRequest,
  form: TextMap,
  session: string,
): Promise<HostedReply> {
  const password = form["new_password"] ?? "";
  const answer = { login: null, password, attributes: {} };
  const { user, authMs } = await setOwnPassword(call.cognito, request.client, session, answer);
  return await finishLogin(call, request, user, authMs);
}

function loginForm(call: HostedCall, problem: string | null, status: number): HostedReply {
  const usesEmail = call.pool.usernameAttributes.includes("email");
  return form(call, problem, status, {
    title: "Sign in",
    button: "Sign in",
    fields: [
      {
        ...{ name: "username", label: usesEmail ? "Email" : "Username", type: "text" },
        autocomplete: "username",
      },
      {
        ...{ name: "password", label: "Password", type: "password" },
        autocomplete: "current-password",
      },
    ],
  });
}

function passwordForm(
  call: HostedCall,
  session: string,
  problem: string | null,
  status: number,
): HostedReply {
  return form(call, problem, status, {
    title: "Choose a password of your own",
    button: "Go on",
    fields: [
      { name: "session", label: null, type: "hidden", value: session },
      {
        ...{ name: "new_password", label: "New password", type: "password" },
        autocomplete: "new-password",
      },
    ],
  });
}

function form(
  call: HostedCall,
  problem: string | null,
  status: number,
  page: {
    readonly title: string;
    readonly button: string;
    readonly fields: readonly FormField[];
  },
): HostedReply {
  const token = formToken(call);
  const action = `${basePath(call.pool)}/login?${call.query}`;
  const cookie = setCookie(call.pool, FORM_COOKIE, token, FORM_COOKIE_SECONDS);
  return formPage({ ...page, action, token, problem }, status, cookie);
}
