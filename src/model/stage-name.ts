import { fail } from "./diagnostic.ts";

/** A stage's name: case-sensitive, URL-safe, at most 63 characters, never starting with a hyphen. */
export type StageName = string & { readonly __brand: "StageName" };

const STAGE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$/;

/**
 * Checks a stage name that came from outside.
 *
 * @param from where it came from, in words for the message, for example `--stage` or `SCRIM_STAGE`
 * @throws DiagnosticError `STAGE_NAME_INVALID` (exit 2), showing the name escaped
 */
export function parseStageName(text: string, from: string): StageName {
  if (STAGE_NAME.test(text)) return text as StageName;
  const why =
    text.length > 63
      ? `It has ${text.length} characters; at most 63 are allowed.`
      : "A stage name holds letters, digits, hyphens and underscores, and does not start with a hyphen.";
  throw fail("STAGE_NAME_INVALID", `${escapeName(text)} from ${from} is not a stage name`, {
    why,
    hint: "Use a name such as production, alice or pr-42.",
  });
}

function escapeName(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  const escaped = JSON.stringify(shown);
  return escaped.replace(/[^\x20-\x7e]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
