import type { AuthNode } from "../../../components/node.ts";
import type { Lowered } from "../../cloud.ts";
import { notOnAws } from "./not-on-aws.ts";

/**
 * An Auth component. Its authorizer is part of the functions of routes, so it is no resource.
 *
 * @throws DiagnosticError `AWS_NOT_SUPPORTED` (exit 2) for the mode `gateway`
 */
export function lowerAuth(node: AuthNode): Lowered {
  if (node.mode === "composed") return { goals: [], outputs: {} };
  throw notOnAws(node, 'the mode "gateway"', 'Leave out mode: "gateway".');
}
