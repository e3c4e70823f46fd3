import { DynamodbError } from "./dynamodb-error.ts";

/**
 * The refusal in an error that dynalite threw or called back with; null when the error is a bug.
 */
export function refusalIn(error: unknown): DynamodbError | null {
  if (!(error instanceof Error) || !("statusCode" in error) || !("body" in error)) return null;
  const { statusCode, body } = error;
  if (typeof statusCode !== "number" || typeof body !== "object" || body === null) return null;
  const members = new Map<string, unknown>(Object.entries(body));
  const type = members.get("__type");
  const message = members.get("message") ?? members.get("Message") ?? "";
  if (typeof type !== "string" || typeof message !== "string") return null;
  return new DynamodbError(statusCode, type, message);
}
