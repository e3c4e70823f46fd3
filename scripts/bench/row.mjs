/**
 * One line of the answer.
 *
 * @typedef {{ what: string, figure: number, unit: string, bar: number, isWithin: boolean }} Row
 */

/** @returns {Row} for a figure that must not be above its bar */
export function atMost(what, figure, unit, bar) {
  return { what, figure, unit, bar, isWithin: figure <= bar };
}

/** @returns {Row} for a figure that must not be below its bar */
export function atLeast(what, figure, unit, bar) {
  return { what, figure, unit, bar, isWithin: figure >= bar };
}

/** @param {Row} row */
export function rowText({ what, figure, unit, bar, isWithin }) {
  const shown = Number.isInteger(figure) || figure >= 100 ? figure.toFixed(0) : figure.toFixed(2);
  return `${isWithin ? "ok  " : "over"}  ${what}: ${shown} ${unit} (bar ${bar})`;
}
