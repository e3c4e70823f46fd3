import type { Json, JsonObject } from "../../../../../model/json.ts";
import { CognitoError, invalidParameter } from "../cognito-error.ts";
import type { TextMap } from "../stored-json.ts";

/** No text of a request is longer, tokens included. */
const TEXT_LENGTH_MAX = 8192;
const LIST_LENGTH_MAX = 1000;

/** The members of a request, each read in the form it must have. */
export class OperationInput {
  readonly #members: JsonObject;

  constructor(members: JsonObject) {
    this.#members = members;
  }

  /** The body of a request. @throws CognitoError `SerializationException` */
  static parse(body: Buffer): OperationInput {
    try {
      const value: unknown = JSON.parse(body.toString("utf8"));
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return new OperationInput(value as JsonObject);
    } catch {
      // Told below: what is not JSON is no object either.
    }
    throw new CognitoError("SerializationException", "The request is not a JSON object");
  }

  text(name: string): string {
    const value = this.textOrNull(name);
    if (value === null) throw violation(name, "Member must not be null");
    return value;
  }

  textOrNull(name: string): string | null {
    const value = this.#members[name] ?? null;
    if (value === null) return null;
    if (typeof value !== "string") throw violation(name, "Member must be a string");
    if (value.length > TEXT_LENGTH_MAX)
      throw violation(name, `Member must have length less than or equal to ${TEXT_LENGTH_MAX}`);
    if (value === "") throw violation(name, "Member must have length greater than or equal to 1");
    return value;
  }

  flag(name: string): boolean {
    const value = this.#members[name] ?? false;
    if (typeof value !== "boolean") throw violation(name, "Member must be a boolean");
    return value;
  }

  count(name: string, least: number, most: number): number | null {
    const value = this.#members[name] ?? null;
    if (value === null) return null;
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most)
      throw violation(name, `Member must be a whole number from ${least} to ${most}`);
    return value;
  }

  texts(name: string): readonly string[] {
    return this.#list(name).map((item) => {
      if (typeof item !== "string") throw violation(name, "Member must be a list of strings");
      return item;
    });
  }

  /** An object of texts, such as `AuthParameters`. */
  textMap(name: string): TextMap {
    const value = this.#members[name] ?? {};
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw violation(name, "Member must be a map of strings");
    return Object.fromEntries(
      Object.entries(value).map(([key, item]: [string, Json]) => {
        if (typeof item !== "string" || item.length > TEXT_LENGTH_MAX)
          throw violation(name, "Member must be a map of strings");
        return [key, item];
      }),
    );
  }

  /** A list of `{ Name, Value }`, such as `UserAttributes`, by name. */
  attributes(name: string): TextMap {
    const attributes = this.#list(name).map((item) => {
      if (typeof item !== "object" || item === null || Array.isArray(item))
        throw violation(name, "Member must be a list of attributes");
      const { Name: key, Value: value = "" } = item as JsonObject;
      if (typeof key !== "string" || typeof value !== "string")
        throw violation(name, "Member must be a list of attributes");
      return [key, value] as const;
    });
    const byName = new Map(attributes);
    if (byName.size < attributes.length)
      throw invalidParameter(`${name} names an attribute more than once.`);
    return Object.fromEntries(byName);
  }

  #list(name: string): readonly Json[] {
    const value = this.#members[name] ?? [];
    if (!Array.isArray(value) || value.length > LIST_LENGTH_MAX)
      throw violation(name, "Member must be a list");
    return value;
  }
}

/** How Cognito words what is wrong with the form of a request. */
function violation(name: string, constraint: string): CognitoError {
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  return invalidParameter(
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: ${constraint}`,
  );
}
