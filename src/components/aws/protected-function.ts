import { isDeepStrictEqual } from "node:util";
import type { FunctionSpec } from "../node.ts";
import type { Place } from "../options/place.ts";
import type { ProtectedBy } from "./auth.ts";
import { functionSpec, type ParsedFunction } from "./function-options.ts";

/**
 * The function of a protected route. With the mode `composed` the authorizer is part of it, so that it has the links,
 * permissions and environment of both.
 *
 * @throws DiagnosticError `AUTH_ENVIRONMENT_CONFLICT` (exit 2) for a variable that both set, to different values
 */
export function protectedFunction(
  parsed: ParsedFunction,
  extra: Parameters<typeof functionSpec>[1],
  { component, mode, authorizer }: ProtectedBy,
  at: Place,
): FunctionSpec {
  if (mode === "gateway") return functionSpec(parsed, extra);
  const other = Object.keys(authorizer.environment).find(
    (key) =>
      Object.hasOwn(parsed.environment, key) &&
      !isDeepStrictEqual(parsed.environment[key], authorizer.environment[key]),
  );
  if (other !== undefined) throw conflict(other, component, at);
  const both = {
    ...parsed,
    environment: { ...authorizer.environment, ...parsed.environment },
    permissions: [...parsed.permissions, ...authorizer.permissions],
  };
  const links = [...extra.links, ...authorizer.links];
  return functionSpec(both, { ...extra, links, authorizer });
}

function conflict(key: string, component: string, at: Place): Error {
  const what = `${at} and its authorizer scrim.aws.Auth "${component}" set ${key} differently`;
  return at.key("environment").problem("AUTH_ENVIRONMENT_CONFLICT", what, {
    why: "Authorizer and handler run in one function, which has one environment.",
    hint: "Give one of the two variables another name.",
  });
}
