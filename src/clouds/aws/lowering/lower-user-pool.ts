import type { CognitoUserPoolNode } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import type { ResourceGoal } from "../../../model/resource.ts";
import { urnOf } from "../../../model/urn.ts";
import { Ref } from "../../../model/value.ts";
import type { Lowered } from "../../cloud.ts";
import { goalOf } from "../../lowering/goal.ts";
import { AWS_TYPES } from "../types.ts";
import { checkTransformed } from "./check-transformed.ts";
import { notOnAws } from "./not-on-aws.ts";

/** Cognito's own default. */
const PASSWORD_POLICY = {
  minimumLength: 8,
  requireLowercase: true,
  requireUppercase: true,
  requireNumbers: true,
  requireSymbols: true,
  temporaryPasswordDays: 7,
};

/** A CognitoUserPool component, and the domain of its login. @throws DiagnosticError `AWS_NOT_SUPPORTED` (exit 2) */
export function lowerUserPool(node: CognitoUserPoolNode): Lowered {
  const inputs = {
    usernameAttributes: node.usernames.map(attributeOf),
    aliasAttributes: node.signInAliases.map(attributeOf),
    passwordPolicy: PASSWORD_POLICY,
    selfSignUp: true,
    verify: node.verify === null ? null : { ...node.verify },
  };
  const changed = applyTransform(node, "userPool", inputs);
  const after = checkTransformed(node, "userPool", inputs, changed);
  const pool = goalOf(node, "", AWS_TYPES.userPool, after);
  const domain = domainGoal(node, pool);
  const ref = (output: string) => new Ref(pool.urn, output);
  return {
    goals: domain === null ? [pool] : [pool, domain],
    outputs: {
      ...{ id: ref("id"), arn: ref("arn"), issuer: ref("issuer"), endpoint: ref("endpoint") },
      clientIds: node.clients.map((name) => new Ref(urnOf(AWS_TYPES.userPoolClient, name), "id")),
      ...(domain === null ? {} : { domain: new Ref(domain.urn, "domain") }),
    },
  };
}

function domainGoal(node: CognitoUserPoolNode, pool: ResourceGoal): ResourceGoal | null {
  if (node.domain === null) return null;
  if (node.domain.kind === "custom") {
    throw notOnAws(node, "a domain of its own", "Use domain: true, or a prefix of your choice.");
  }
  const inputs = { pool: new Ref(pool.urn, "id"), prefix: node.domain.prefix };
  return goalOf(node, "", AWS_TYPES.userPoolDomain, inputs);
}

/** The attribute that Cognito keeps it in. */
function attributeOf(word: string): string {
  return word === "phone" ? "phone_number" : word;
}
