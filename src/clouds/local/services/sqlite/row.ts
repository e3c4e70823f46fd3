/** One row of an answer, read by column name. A column of another type is a bug and throws. */
export class Row {
  readonly #columns: Readonly<Record<string, unknown>>;

  constructor(columns: unknown) {
    if (typeof columns !== "object" || columns === null) throw new Error("not a row");
    this.#columns = Object.fromEntries(Object.entries(columns));
  }

  text(column: string): string {
    const value = this.#columns[column];
    if (typeof value === "string") return value;
    throw wrongType(column, "text", value);
  }

  textOrNull(column: string): string | null {
    return this.#columns[column] === null ? null : this.text(column);
  }

  integer(column: string): number {
    const value = this.#columns[column];
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw wrongType(column, "a safe integer", value);
  }

  /** The driver hands out a Buffer for one row and ArrayBuffers for many. */
  bytes(column: string): Buffer {
    const value = this.#columns[column];
    if (Buffer.isBuffer(value)) return value;
    if (value instanceof ArrayBuffer) return Buffer.from(value);
    throw wrongType(column, "a blob", value);
  }

  /** A JSON text, parsed; the caller checks its shape. */
  json(column: string): unknown {
    return JSON.parse(this.text(column));
  }
}

function wrongType(column: string, expected: string, value: unknown): Error {
  return new Error(
    `column ${column} is not ${expected} but ${value === null ? "null" : typeof value}`,
  );
}
