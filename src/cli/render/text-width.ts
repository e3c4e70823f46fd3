import { withoutSequences } from "./safe-text.ts";

/** Characters that take two columns: East Asian wide ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
/** Characters that take none. */
const NARROW = /\p{Mn}|\p{Me}|\u200b|\u200d|\ufe0f/u;

/** Columns that text takes on a terminal. Colors take none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const char of withoutSequences(text)) width += charWidth(char);
  return width;
}

/** Text cut to at most so many columns, with `...` in place of what was cut. Not for colored text. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  const mark = "...".slice(0, columns);
  let kept = "";
  let width = mark.length;
  for (const char of text) {
    width += charWidth(char);
    if (width > columns) break;
    kept += char;
  }
  return kept + mark;
}

/** Text with spaces behind it up to so many columns. */
export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - textWidth(text))) + text;
}

function charWidth(char: string): number {
  if (char < "\u0300") return 1;
  if (NARROW.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}
