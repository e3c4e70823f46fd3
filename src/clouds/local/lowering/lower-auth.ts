import type { AuthNode } from "../../../components/node.ts";
import type { Lowered } from "../../cloud.ts";
import { notHere } from "./not-here.ts";

/**
 * An Auth component. Its authorizer is part of the functions of routes, so it is no resource.
 *
 * @throws DiagnosticError `LOCAL_NOT_SUPPORTED` (exit 2) for the mode `gateway`
 */
export function lowerAuth(node: AuthNode): Lowered {
  if (node.mode === "gateway") throw notHere(node, 'the mode "gateway"');
  return { goals: [], outputs: {} };
}
