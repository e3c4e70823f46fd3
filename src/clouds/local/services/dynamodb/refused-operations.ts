import { DynamodbError, unknownOperation } from "./dynamodb-error.ts";

/** Operations that would change what the config describes; tables come and go with it. */
const OF_THE_CONFIG: ReadonlySet<string> = new Set([
  "CreateTable",
  "DeleteTable",
  "UpdateTable",
  "TagResource",
  "UntagResource",
  "UpdateTimeToLive",
]);

/** The error for an operation that has no implementation here, with its name in the message. */
export function refuseOperation(operation: string): DynamodbError {
  if (OF_THE_CONFIG.has(operation))
    return new DynamodbError(
      400,
      "com.amazon.coral.service#AccessDeniedException",
      `${operation} is refused on the local cloud: tables are made, changed and removed by deploying the config`,
    );
  return unknownOperation(`DynamoDB on the local cloud does not support ${operation}`);
}
