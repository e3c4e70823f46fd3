import { AuthError, JwksUnavailable } from "./auth-error.ts";
import { authErrorOf } from "./auth-error-of.ts";
import { headerValues } from "./http/request-event.ts";

/** Enough for a stack. */
const CHARS_MAX = 4_000;

/**
 * Writes why a request was refused to the function's log, an outage as an error. Nothing of a credential: what looks
 * like a token is left out, and so is what the request carried.
 */
export function logRefusal(what: string, reason: unknown, event: unknown): void {
  const text = withoutCredentials(textOf(reason), event).slice(0, CHARS_MAX);
  const line = `scrim/auth: ${what}: ${text}`;
  // A function's log is its console.
  const { error, warn } = console;
  if (authErrorOf(reason) instanceof JwksUnavailable) error(line);
  else warn(line);
}

/** Text for whatever was thrown, also where its stack is no text or its members throw. */
function textOf(reason: unknown): string {
  try {
    const text: unknown = describe(reason);
    if (typeof text === "string") return text;
  } catch {
    // There is nothing that could be told of it.
  }
  return "an error that cannot be described";
}

function describe(reason: unknown): string {
  if (reason instanceof AuthError) {
    const claim = reason.claim === undefined ? "" : `, claim ${reason.claim}`;
    return `${reason.message} (${reason.code}${claim})`;
  }
  if (reason instanceof Error) return reason.stack ?? reason.message;
  return typeof reason === "string" ? reason : `a thrown value of type ${typeof reason}`;
}

/**
 * Three parts of base64url, of which the first is long enough for a header with an algorithm. Looked for at the
 * beginning of words only, so that the time grows with the text and not with its square.
 */
const TOKEN_LIKE = /(?<![\w-])[\w-]{12,}\.[\w-]+\.[\w-]*/g;

function withoutCredentials(text: string, event: unknown): string {
  let clean = text;
  for (const value of [...headerValues(event, "authorization"), ...headerValues(event, "cookie")]) {
    const words = value.split(/[\s,;]+/).filter((word) => word.length >= 8);
    for (const word of [value, ...words])
      if (word !== "") clean = clean.replaceAll(word, "[left out]");
  }
  return clean.replace(TOKEN_LIKE, "[left out]");
}
