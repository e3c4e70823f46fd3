import type { Json, JsonObject } from "../../../../model/json.ts";
import { isObject, stringIn, stringsIn } from "../input-parsers.ts";

/** What a role of this service's may assume. */
export function trustPolicy(service: string): string {
  return documentOf([
    { Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" },
  ]);
}

/** The policy for statements as inputs write them: effect, actions, resources. */
export function permissionPolicy(statements: Json | undefined): string {
  if (!Array.isArray(statements)) throw new Error("the input statements is not a list");
  return documentOf(statements.map(statementOf));
}

function statementOf(statement: Json): JsonObject {
  if (!isObject(statement)) throw new Error("a statement is not an object");
  return {
    Effect: stringIn(statement, "effect") === "deny" ? "Deny" : "Allow",
    Action: stringsIn(statement, "actions"),
    Resource: stringsIn(statement, "resources"),
  };
}

/** The statements of a policy that {@link permissionPolicy} wrote; null for any other. */
export function statementsOf(policy: string): Json {
  const { Statement: statements } = JSON.parse(policy) as { readonly Statement?: Json };
  if (!Array.isArray(statements)) return null;
  return statements.map((statement: Json) => {
    if (!isObject(statement)) return null;
    const { Effect: effect, Action: actions = null, Resource: resources = null } = statement;
    return { effect: effect === "Deny" ? "deny" : "allow", actions, resources };
  });
}

function documentOf(statements: readonly JsonObject[]): string {
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}
