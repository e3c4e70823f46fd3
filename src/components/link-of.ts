import {
  ComponentComputed,
  ComponentRef,
  type FunctionUrlSpec,
  type Link,
  type NodeValue,
  type Permission,
} from "./node.ts";
import { allowAll } from "./permissions.ts";

/** As much of a node as its link depends on. */
export type Linked =
  | {
      readonly kind: "Function";
      readonly name: string;
      readonly function: { readonly url: FunctionUrlSpec | null };
    }
  | { readonly kind: "CognitoUserPool"; readonly name: string; readonly domain: object | null }
  | {
      readonly kind: "CognitoUserPoolClient";
      readonly name: string;
      readonly generateSecret: boolean;
    }
  | { readonly kind: "ApiGatewayV2" | "Bucket" | "Dynamo" | "Secret"; readonly name: string }
  | {
      readonly kind: "Linkable";
      readonly name: string;
      readonly type: string;
      readonly properties: Readonly<Record<string, NodeValue>>;
      readonly permissions: readonly Permission[];
    };

/** What a component contributes to functions that link it. */
export function linkOf(linked: Linked): Link {
  const { name } = linked;
  const ref = (output: string): ComponentRef => new ComponentRef(name, output);
  switch (linked.kind) {
    case "Function":
      return {
        name,
        type: "scrim.aws.Function",
        properties: {
          name: ref("name"),
          ...(linked.function.url === null ? {} : { url: ref("url") }),
        },
        permissions: [
          { effect: "allow", actions: ["lambda:InvokeFunction"], resources: [ref("arn")] },
        ],
      };
    case "ApiGatewayV2":
      return {
        name,
        type: "scrim.aws.ApiGatewayV2",
        properties: { url: ref("url") },
        permissions: [],
      };
    case "Bucket":
      return {
        name,
        type: "scrim.aws.Bucket",
        properties: { name: ref("name") },
        permissions: [allowAll("s3", ref("arn"))],
      };
    case "CognitoUserPool":
      return {
        name,
        type: "scrim.aws.CognitoUserPool",
        properties: {
          id: ref("id"),
          clientIds: new ComponentComputed([ref("clientIds")], ([ids]) => ids ?? [], "string[]"),
          region: new ComponentComputed([ref("id")], ([id]) => regionOf(String(id)), "string"),
          ...(linked.domain === null ? {} : { domain: ref("domain") }),
        },
        permissions: [{ effect: "allow", actions: ["cognito-idp:*"], resources: [ref("arn")] }],
      };
    case "CognitoUserPoolClient":
      return {
        name,
        type: "scrim.aws.CognitoUserPoolClient",
        properties: { id: ref("id"), ...(linked.generateSecret ? { secret: ref("secret") } : {}) },
        permissions: [],
      };
    case "Dynamo":
      return {
        name,
        type: "scrim.aws.Dynamo",
        properties: { name: ref("name") },
        permissions: [allowAll("dynamodb", ref("arn"))],
      };
    case "Secret":
      return { name, type: "scrim.Secret", properties: { value: ref("value") }, permissions: [] };
    case "Linkable":
      return {
        name,
        type: linked.type,
        properties: linked.properties,
        permissions: linked.permissions,
      };
  }
}

/** The region that stands in front of the underscore of a user pool's id. */
function regionOf(poolId: string): string {
  return poolId.slice(0, poolId.indexOf("_"));
}
