import type { Style } from "./style.ts";
import { padEnd, padStart, textWidth, truncate } from "./text-width.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Columns it keeps when room is short; the widest ones shrink first. */
  readonly minWidth?: number;
}

const GAP = "  ";
const MIN_WIDTH = 6;

/**
 * Rows under their titles, at most `columns` wide. Where even shrunken columns do not fit, each row is told as a
 * list of its values. Cells are plain text, already made safe.
 */
export function tableText(
  titles: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number,
  style: Style,
): string {
  const widths = titles.map((column, index) =>
    Math.max(textWidth(column.title), ...rows.map((row) => textWidth(row[index] ?? ""))),
  );
  const fitted = shrink(titles, widths, columns - GAP.length * (titles.length - 1));
  if (fitted === null) return listText(titles, rows, columns, style);
  const line = (cells: readonly string[]) =>
    titles
      .map((column, index) => {
        const width = fitted[index] ?? 0;
        const cell = truncate(cells[index] ?? "", width);
        return column.align === "right" ? padStart(cell, width) : padEnd(cell, width);
      })
      .join(GAP)
      .trimEnd();
  const head = style.dim(line(titles.map(({ title }) => title)));
  return `${[head, ...rows.map(line)].join("\n")}\n`;
}

/** Takes from the widest column until the rest fits; null when no column has anything left to give. */
function shrink(
  titles: readonly Column[],
  widths: readonly number[],
  room: number,
): readonly number[] | null {
  const fitted = [...widths];
  const least = titles.map((column, index) =>
    Math.min(widths[index] ?? 0, column.minWidth ?? Math.max(MIN_WIDTH, textWidth(column.title))),
  );
  let excess = fitted.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    let widest = -1;
    for (const [index, width] of fitted.entries()) {
      if (width > (least[index] ?? 0) && width > (fitted[widest] ?? 0)) widest = index;
    }
    if (widest < 0) return null;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
    excess -= 1;
  }
  return fitted;
}

function listText(
  titles: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number,
  style: Style,
): string {
  const blocks = rows.map((row) =>
    titles
      .map(({ title }, index) => {
        const cell = truncate(row[index] ?? "", Math.max(3, columns - textWidth(title) - 1));
        return `${style.dim(title)} ${cell}\n`;
      })
      .join(""),
  );
  return blocks.join("\n");
}
