import type { ComponentNode } from "../../../components/node.ts";
import type { Lowered, LoweringContext } from "../../cloud.ts";
import { lowerApi } from "./lower-api.ts";
import { lowerAuth } from "./lower-auth.ts";
import { lowerBucket } from "./lower-bucket.ts";
import { lowerFunction } from "./lower-function.ts";
import { lowerTable } from "./lower-table.ts";
import { lowerUserPool } from "./lower-user-pool.ts";
import { lowerUserPoolClient } from "./lower-user-pool-client.ts";

/** `Cloud.lower` of AWS. @throws DiagnosticError `AWS_NOT_SUPPORTED` (exit 2) for what it cannot make yet */
export function lowerAws(node: ComponentNode, context: LoweringContext): Lowered {
  switch (node.kind) {
    case "Function":
      return lowerFunction(node, context);
    case "ApiGatewayV2":
      return lowerApi(node, context);
    case "Auth":
      return lowerAuth(node);
    case "Bucket":
      return lowerBucket(node);
    case "CognitoUserPool":
      return lowerUserPool(node);
    case "CognitoUserPoolClient":
      return lowerUserPoolClient(node, context);
    case "Dynamo":
      return lowerTable(node);
    case "Secret":
    case "Linkable":
      // Their values are resolved before lowering, wherever they are used.
      return { goals: [], outputs: {} };
  }
}
