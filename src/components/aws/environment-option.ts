import type { NodeValue } from "../node.ts";
import { optional, type Parse, record } from "../options/parse.ts";
import type { Place } from "../options/place.ts";
import { Output } from "../output.ts";

/** Lambda's form of a name; a single letter is too short for it. */
const NAME = /^[A-Za-z][A-Za-z0-9_]+$/;

/** Names that Lambda sets itself and refuses; its developer guide lists them. */
const OF_LAMBDA = new Set([
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "AWS_EXECUTION_ENV",
  "AWS_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "LAMBDA_TASK_ROOT",
  "LAMBDA_RUNTIME_DIR",
]);

/** The option `environment`: strings, or outputs that are strings. */
export const environment: Parse<Readonly<Record<string, NodeValue>>> = optional(
  record(variable, checkName),
  {},
);

function variable(value: unknown, at: Place): NodeValue {
  if (value instanceof Output) return Output.valueOf(value);
  if (typeof value === "string") return value;
  const hint =
    value === undefined
      ? "Leave the variable out, or set it: an unset variable of your own environment is the usual cause."
      : "Write String(value), or JSON.stringify(value).";
  throw at.invalid(value, "a string or an output", hint);
}

function checkName(name: string, at: Place): void {
  if (!NAME.test(name)) {
    throw at.problem("OPTION_INVALID", `${at} has a name that no variable can have`, {
      why: "A name is two or more letters, digits and underscores, the first a letter.",
    });
  }
  if (OF_LAMBDA.has(name) || name.startsWith("AWS_LAMBDA_") || name.startsWith("SCRIM_")) {
    throw at.problem("OPTION_INVALID", `${at} cannot be set`, {
      why: "Names of the runtime and those that begin with SCRIM_ are set for the function.",
      hint: "Use another name.",
    });
  }
}
