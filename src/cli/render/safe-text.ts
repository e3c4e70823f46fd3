/**
 * Characters that act on a terminal or reorder what it shows: C0 and C1 controls, DEL, line and paragraph
 * separators, marks of direction (Unicode's "Trojan source" set), lone surrogates.
 */
const ACTING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** Escape sequences as programs write them to color their output: CSI, OSC and the two-character ones. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])|\x9b[0-?]*[ -/]*[@-~]/g;

/**
 * One line of text that came from outside, made harmless: whatever would act on the terminal is shown escaped.
 *
 * @example
 * safeLine("a\nb"); // "a\\u{a}b"
 */
export function safeLine(text: string): string {
  return text.replace(ACTING, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** The same for text of several lines: line breaks stay, tabs become two spaces. */
export function safeLines(text: string): readonly string[] {
  return text.replaceAll("\t", "  ").split(/\r?\n/).map(safeLine);
}

/** Text without the colors and cursor movements that a program put into it. */
export function withoutSequences(text: string): string {
  return text.replace(SEQUENCE, "");
}
