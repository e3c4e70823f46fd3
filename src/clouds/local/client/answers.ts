import type { JsonObject } from "../../../model/json.ts";
import type { ControlError, ResourceAnswer, ServerStatus } from "../control-api.ts";
import type { ControlResponse } from "./control-request.ts";

/** Checks the answer about a resource. */
export function parseResource(value: unknown): ResourceAnswer {
  const { type, name, id, outputs, tags, spec, problem } = objectOf(value);
  if (typeof type !== "string" || typeof name !== "string" || typeof id !== "string") {
    throw unexpected(value);
  }
  const answer = {
    type,
    name,
    id,
    outputs: objectOf(outputs) as JsonObject,
    tags: objectOf(tags) as Readonly<Record<string, string>>,
    spec: objectOf(spec) as JsonObject,
  };
  return typeof problem === "string" ? { ...answer, problem } : answer;
}

/** Checks a list of answers about resources. */
export function parseResources(value: unknown): readonly ResourceAnswer[] {
  if (!Array.isArray(value)) throw unexpected(value);
  return value.map(parseResource);
}

/** Checks the parts of a status by which it is one; the server is of the same protocol. */
export function parseStatus(value: unknown): ServerStatus {
  const status = objectOf(value);
  if (typeof status["pid"] !== "number" || !Array.isArray(status["stages"])) {
    throw unexpected(value);
  }
  return value as ServerStatus;
}

/** The refusal in an answer; one that has no readable body is named by its status. */
export function parseControlError(response: ControlResponse): ControlError {
  try {
    const { code, message, hint, detail } = objectOf(JSON.parse(response.text));
    if (typeof code === "string" && typeof message === "string") {
      return {
        code,
        message,
        ...(typeof hint === "string" ? { hint } : {}),
        ...(detail === undefined ? {} : { detail: objectOf(detail) as JsonObject }),
      };
    }
  } catch {
    // Told below.
  }
  const message = `The local cloud answered with status ${response.status}`;
  return { code: "LOCAL_SERVER_FAILED", message };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw unexpected(value);
}

function unexpected(value: unknown): Error {
  const shown = JSON.stringify(value)?.slice(0, 200) ?? "nothing";
  return new Error(`the local cloud answered with something unexpected: ${shown}`);
}
