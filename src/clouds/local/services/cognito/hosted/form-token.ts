import { randomBytes } from "node:crypto";
import { equalTexts } from "../sign-in/check-secret-hash.ts";
import type { TextMap } from "../stored-json.ts";
import { cookieOf, FORM_COOKIE } from "./cookies.ts";
import type { HostedCall } from "./hosted-call.ts";

/** What the next form of this browser must repeat. */
export function formToken({ request }: HostedCall): string {
  const known = cookieOf(request, FORM_COOKIE);
  return known !== null && /^[A-Za-z0-9_-]{43}$/.test(known)
    ? known
    : randomBytes(32).toString("base64url");
}

/**
 * Whether a form was sent by a page of ours and not by one of another site, which can neither read
 * nor set the cookie.
 */
export function isOwnForm({ request }: HostedCall, form: TextMap): boolean {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  if (site !== undefined && site !== "same-origin") return false;
  const cookie = cookieOf(request, FORM_COOKIE);
  return cookie !== null && equalTexts(cookie, form["_csrf"] ?? "");
}
