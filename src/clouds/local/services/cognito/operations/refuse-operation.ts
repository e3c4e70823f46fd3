import { CognitoError } from "../cognito-error.ts";

/**
 * Operations that would change what the config describes; pools and clients come and go with it.
 */
const OF_THE_CONFIG: ReadonlySet<string> = new Set([
  "CreateUserPool",
  "UpdateUserPool",
  "DeleteUserPool",
  "CreateUserPoolClient",
  "UpdateUserPoolClient",
  "DeleteUserPoolClient",
  "CreateUserPoolDomain",
  "UpdateUserPoolDomain",
  "DeleteUserPoolDomain",
  "AddCustomAttributes",
  "TagResource",
  "UntagResource",
]);

/** The error for an operation that has no implementation here, with its name in the message. */
export function refuseOperation(operation: string): CognitoError {
  if (OF_THE_CONFIG.has(operation))
    return new CognitoError(
      "AccessDeniedException",
      `${operation} is refused on the local cloud: user pools are made, changed and removed by deploying the config`,
    );
  return new CognitoError(
    "UnknownOperationException",
    `Cognito on the local cloud does not support ${operation}`,
  );
}
