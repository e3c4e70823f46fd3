import type { JsonObject } from "../../model/json.ts";
import { safeLine } from "./safe-text.ts";
import type { Style } from "./style.ts";
import { padEnd, textWidth } from "./text-width.ts";
import { plainValueText } from "./value-text.ts";

/** What the config's `run()` returned, one line each, values whole so that they can be copied. Secrets are masked. */
export function outputsText(outputs: JsonObject, style: Style): string {
  const lines = Object.entries(outputs).map(([name, value]) => {
    return [safeLine(name), plainValueText(value)] as const;
  });
  if (lines.length === 0) return "";
  const width = Math.max(...lines.map(([name]) => textWidth(name)));
  return lines.map(([name, value]) => `${style.dim(padEnd(name, width))}  ${value}\n`).join("");
}
