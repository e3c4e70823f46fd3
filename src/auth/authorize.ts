import type { AuthErrorBody } from "./auth-error.ts";
import { authErrorOf } from "./auth-error-of.ts";
import { memberOf } from "./http/request-event.ts";
import { logRefusal } from "./log.ts";

/** Who a request is from. */
export interface User {
  readonly id: string;
  readonly email?: string;
}

/** The request may go on. */
export interface Allowed {
  readonly statusCode: number;
  readonly user: User;
}

/** The request is answered with this. */
export interface Denied {
  readonly statusCode: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** What an authorizer decides. */
export type Access = Allowed | Denied;

/** The longest that an authorizer may take; fetching keys may take most of it. */
const DEADLINE_MS_MAX = 5_000;
/** What is left of the function's time for the refusal to get out. */
const MARGIN_MS = 500;

/**
 * Asks an authorizer. Only a `user` whose `id` is text, returned with a 2xx status or none, is let in. A status of
 * 400 to 599 passes on as it is; everything else, also a throw or an answer that does not come in time, is 401.
 * Never throws.
 *
 * @param context the function's, whose remaining time bounds the wait
 */
export async function authorize(
  authorizer: (event: never, context: never) => unknown,
  event: unknown,
  context?: unknown,
): Promise<Access> {
  try {
    const run = authorizer as (event: unknown, context: unknown) => unknown;
    const answer = await beforeDeadline(async () => run(event, context), deadlineMs(context));
    return allowed(answer) ?? refused(answer) ?? denied("Unauthorized", noUser(answer), event);
  } catch (error) {
    const refusal = authErrorOf(error);
    return denied(refusal?.body ?? "Unauthorized", refusal ?? error, event);
  }
}

/** Whether an authorizer let the request in. */
export function isAllowed(access: Access): access is Allowed {
  return Object.hasOwn(access, "user");
}

function allowed(answer: unknown): Allowed | null {
  const statusCode = memberOf(answer, "statusCode") ?? 200;
  const user = memberOf(answer, "user");
  const id = memberOf(user, "id");
  const email = memberOf(user, "email");
  if (!isStatus(statusCode, 200, 299) || typeof id !== "string" || id === "") return null;
  return { statusCode, user: typeof email === "string" ? { id, email } : { id } };
}

function refused(answer: unknown): Denied | null {
  const statusCode = memberOf(answer, "statusCode");
  if (!isStatus(statusCode, 400, 599)) return null;
  const { user: _, ...rest } = answer as Readonly<Record<string, unknown>>;
  return { ...rest, statusCode, body: textOf(rest["body"]) };
}

function denied(body: AuthErrorBody, reason: unknown, event: unknown): Denied {
  logRefusal("Request refused", reason, event);
  return { statusCode: 401, body };
}

function noUser(answer: unknown): string {
  const kind = answer === null ? "null" : typeof answer;
  return memberOf(answer, "user") === undefined
    ? `the authorizer returned no user (it returned ${kind})`
    : "the authorizer returned a user whose id is not text, or a status other than 2xx";
}

function isStatus(value: unknown, from: number, to: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= from && value <= to;
}

/** A gateway fails on bodies that are not text, and a refusal must not fail. */
function textOf(body: unknown): string {
  if (typeof body === "string") return body;
  try {
    return JSON.stringify(body) ?? "";
  } catch {
    return "";
  }
}

function deadlineMs(context: unknown): number {
  const remainingMs = remainingTimeMs(context);
  return Math.max(0, Math.min(DEADLINE_MS_MAX, remainingMs - MARGIN_MS));
}

/** By Lambda's context object; unbounded where there is none, as in tests. */
function remainingTimeMs(context: unknown): number {
  if (typeof context !== "object" || context === null) return Number.POSITIVE_INFINITY;
  if (!("getRemainingTimeInMillis" in context)) return Number.POSITIVE_INFINITY;
  const { getRemainingTimeInMillis: remaining } = context;
  const ms: unknown = typeof remaining === "function" ? remaining.call(context) : undefined;
  return typeof ms === "number" && !Number.isNaN(ms) ? ms : Number.POSITIVE_INFINITY;
}

async function beforeDeadline<T>(run: () => Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`The authorizer did not answer within ${timeoutMs} ms`));
    timer = setTimeout(fail, timeoutMs);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}
