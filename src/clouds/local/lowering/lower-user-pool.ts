import type { CognitoUserPoolNode } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import { urnOf } from "../../../model/urn.ts";
import { Ref } from "../../../model/value.ts";
import type { Lowered } from "../../cloud.ts";
import { goalOf } from "../../lowering/goal.ts";
import { LOCAL_TYPES } from "../identity.ts";
import { checkTransformed } from "./check-transformed.ts";

/** Cognito's own default. */
const PASSWORD_POLICY = {
  minimumLength: 8,
  requireLowercase: true,
  requireUppercase: true,
  requireNumbers: true,
  requireSymbols: true,
  temporaryPasswordDays: 7,
};

/**
 * A CognitoUserPool component. Its messages go to the log in words of their own, so `verify`
 * changes nothing here, and every domain is an address of this machine.
 */
export function lowerUserPool(node: CognitoUserPoolNode): Lowered {
  const inputs = {
    name: node.name,
    usernameAttributes: node.usernames.map(attributeOf),
    aliasAttributes: node.signInAliases.map(attributeOf),
    passwordPolicy: PASSWORD_POLICY,
    selfSignUp: true,
    hostedLogin: node.domain !== null,
  };
  const after = checkTransformed(
    node,
    "userPool",
    inputs,
    applyTransform(node, "userPool", inputs),
  );
  const pool = goalOf(node, "", LOCAL_TYPES.userPool, after);
  return {
    goals: [pool],
    outputs: {
      id: new Ref(pool.urn, "id"),
      arn: new Ref(pool.urn, "arn"),
      issuer: new Ref(pool.urn, "issuer"),
      endpoint: new Ref(pool.urn, "endpoint"),
      clientIds: node.clients.map((name) => new Ref(urnOf(LOCAL_TYPES.userPoolClient, name), "id")),
      ...(node.domain === null ? {} : { domain: new Ref(pool.urn, "domain") }),
    },
  };
}

/** The attribute that Cognito keeps it in. */
function attributeOf(word: string): string {
  return word === "phone" ? "phone_number" : word;
}
