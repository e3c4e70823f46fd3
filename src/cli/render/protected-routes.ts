import type { ProtectedRoute } from "../../operations/protected-routes.ts";
import { safeLine } from "./safe-text.ts";
import type { Style } from "./style.ts";

/**
 * What protected routes may do, since their functions hold the authorizer, too:
 *
 *     Permissions of handler and authorizer together
 *       Api/GET /me, protected by Auth
 *         allow dynamodb:* on Notes.arn, Notes.arn/*
 */
export function protectedRoutesText(routes: readonly ProtectedRoute[], style: Style): string {
  if (routes.length === 0) return "";
  const lines = routes.flatMap(({ route, auth, permissions }) => [
    `  ${style.bold(safeLine(route))}, protected by ${safeLine(auth)}`,
    ...(permissions.length === 0 ? [`    ${style.dim("none")}`] : permissions.map(permissionText)),
  ]);
  return `\n${["Permissions of handler and authorizer together", ...lines].join("\n")}\n`;
}

function permissionText(permission: ProtectedRoute["permissions"][number]): string {
  const { effect, actions, resources } = permission;
  return safeLine(`    ${effect} ${actions.join(", ")} on ${resources.join(", ")}`);
}
