/** Puts a color or weight around text, or nothing where colors are off. */
export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
}

const plain: Paint = (text) => text;

/** For output without colors. */
export const PLAIN: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  blue: plain,
  magenta: plain,
  cyan: plain,
};

/** ECMA-48 "Select Graphic Rendition": the codes that begin and end each. */
const COLORED: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  blue: paint(34, 39),
  magenta: paint(35, 39),
  cyan: paint(36, 39),
};

export function styleFor(color: boolean): Style {
  return color ? COLORED : PLAIN;
}

function paint(begin: number, end: number): Paint {
  return (text) => (text === "" ? "" : `\x1b[${begin}m${text}\x1b[${end}m`);
}
