import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { memberOf } from "../http/request-event.ts";

/** A sign-in that was started and has not come back. */
export interface SignIn {
  /** What the provider hands back. */
  readonly state: string;
  /** PKCE: what only the browser that started knows (RFC 7636). */
  readonly verifier: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** As long as a user may take at the provider's page. */
export const SIGN_IN_SECONDS = 600;

/** Starts a sign-in, with 256 random bits each for state and verifier. */
export function newSignIn(nowMs: number): SignIn {
  return {
    state: randomBytes(32).toString("base64url"),
    verifier: randomBytes(32).toString("base64url"),
    expiresAtMs: nowMs + SIGN_IN_SECONDS * 1000,
  };
}

/** The PKCE challenge for a verifier: S256 of RFC 7636, section 4.2. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** A sign-in as text that the browser keeps and cannot change. */
export function sealSignIn(signIn: SignIn, secret: string): string {
  const text = Buffer.from(JSON.stringify(signIn)).toString("base64url");
  return `${text}.${signatureOf(text, secret).toString("base64url")}`;
}

/** The sign-in in a sealed text, if it was sealed with this secret, is not over, and has this state. */
export function openSignIn(
  sealed: string,
  secret: string,
  state: string,
  nowMs: number,
): SignIn | null {
  const [text = "", signature = ""] = sealed.split(".");
  if (!isEqual(Buffer.from(signature, "base64url"), signatureOf(text, secret))) return null;
  const signIn = read(text);
  if (signIn === null || signIn.expiresAtMs <= nowMs) return null;
  return isEqual(Buffer.from(signIn.state), Buffer.from(state)) ? signIn : null;
}

/** The prefix keeps these signatures apart from any other use of the secret. */
function signatureOf(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`scrim sign-in\n${text}`).digest();
}

function isEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

function read(text: string): SignIn | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  const state = memberOf(value, "state");
  const verifier = memberOf(value, "verifier");
  const expiresAtMs = memberOf(value, "expiresAtMs");
  if (typeof state !== "string" || typeof verifier !== "string") return null;
  return typeof expiresAtMs === "number" ? { state, verifier, expiresAtMs } : null;
}
