import type { Json, JsonObject } from "../../../../model/json.ts";
import type { Row } from "../sqlite/row.ts";

/** Texts by name, such as the attributes of a user. */
export type TextMap = Readonly<Record<string, string>>;

/** A column that holds a JSON object, written by us. */
export function jsonColumn(row: Row, column: string): JsonObject {
  const value = row.json(column);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new Error(`column ${column} is not a JSON object`);
}

export function textMapColumn(row: Row, column: string): TextMap {
  return Object.fromEntries(
    Object.entries(jsonColumn(row, column)).map(([name, value]: [string, Json]) => {
      if (typeof value !== "string") throw new Error(`${name} in column ${column} is not a text`);
      return [name, value];
    }),
  );
}
