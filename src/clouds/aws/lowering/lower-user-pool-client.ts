import type { CognitoUserPoolClientNode } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import { Computed, Ref, Sensitive } from "../../../model/value.ts";
import type { Lowered, LoweringContext } from "../../cloud.ts";
import { goalOf } from "../../lowering/goal.ts";
import { plainValue } from "../../lowering/plain-value.ts";
import { AWS_TYPES } from "../types.ts";
import { checkTransformed } from "./check-transformed.ts";

/** A client of a CognitoUserPool component; lifetimes are Cognito's own defaults. */
export function lowerUserPoolClient(
  node: CognitoUserPoolClientNode,
  context: Pick<LoweringContext, "open">,
): Lowered {
  const inputs = {
    pool: plainValue(node.pool),
    callbackUrls: node.callbackUrls.map(plainValue),
    logoutUrls: node.logoutUrls.map(plainValue),
    generateSecret: node.generateSecret,
    authFlows: [...node.authFlows],
    scopes: [...node.scopes],
    ...{ accessTokenMinutes: 60, idTokenMinutes: 60, refreshTokenDays: 30 },
    hidesUserExistence: true,
  };
  const after = checkTransformed(node, "client", inputs, applyTransform(node, "client", inputs));
  const client = goalOf(node, "", AWS_TYPES.userPoolClient, after);
  const secret = new Computed(
    [new Ref(client.urn, "secret")],
    ([value]) => new Sensitive(context.open(value ?? null)),
  );
  return {
    goals: [client],
    outputs: {
      id: new Ref(client.urn, "id"),
      ...(node.generateSecret ? { secret } : {}),
    },
  };
}
