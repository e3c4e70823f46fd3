import type { LogEntry } from "../../clouds/cloud.ts";
import { safeLine, safeLines, withoutSequences } from "./safe-text.ts";
import type { Style } from "./style.ts";
import { padEnd, textWidth } from "./text-width.ts";

const COLORS = ["cyan", "magenta", "green", "blue", "yellow"] as const;
/** Longer names push their line to the right instead of all lines. */
const NAME_WIDTH_MAX = 28;

/**
 * Makes lines of log entries: time, function, message. The same function has the same color each time. Colors that
 * the function itself wrote are taken out, since its text could as well come from a request.
 *
 * @param showDate for entries that may be older than a day
 */
export function logRenderer(style: Style, showDate = false): (entry: LogEntry) => string {
  let nameWidth = 0;
  return (entry) => {
    const name = safeLine(entry.function);
    nameWidth = Math.max(nameWidth, Math.min(NAME_WIDTH_MAX, textWidth(name)));
    const time = safeLine(timeOf(entry.time, showDate));
    const lead = `${style.dim(time)}  ${style[colorOf(name)](padEnd(name, nameWidth))}  `;
    const indent = " ".repeat(textWidth(lead));
    const lines = safeLines(withoutSequences(entry.message.replace(/\r?\n$/, "")));
    const painted = lines.map((line) => byLevel(entry, style)(line));
    return `${lead}${painted.join(`\n${indent}`)}\n`;
  };
}

function byLevel({ level }: LogEntry, style: Style): (text: string) => string {
  if (level === "error") return style.red;
  if (level === "warn") return style.yellow;
  return level === "platform" || level === "debug" ? style.dim : (text) => text;
}

function timeOf(iso: string, showDate: boolean): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d\.\d{3})Z$/.exec(iso);
  if (match === null) return iso;
  return showDate ? `${match[1]} ${match[2]}` : (match[2] ?? iso);
}

function colorOf(name: string): (typeof COLORS)[number] {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return COLORS[sum % COLORS.length] ?? "cyan";
}
