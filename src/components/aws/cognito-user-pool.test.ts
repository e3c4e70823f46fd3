import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../model/diagnostic.ts";
import { AppBuilder } from "../app-builder.ts";
import { enterEvaluation } from "../evaluation.ts";
import { linkOf } from "../link-of.ts";
import { scrim } from "../namespace.ts";
import { ComponentComputed, type ComponentNode, ComponentRef } from "../node.ts";
import type { CognitoUserPool } from "./cognito-user-pool.ts";

const locator = { locate: () => null };

function nodesOf(body: () => void): readonly ComponentNode[] {
  const builder = new AppBuilder();
  enterEvaluation({ locator, builder });
  try {
    body();
    return builder.nodes();
  } finally {
    enterEvaluation({ locator, builder: null });
  }
}

function problemOf(body: () => void): { readonly code: string; readonly message: string } {
  try {
    nodesOf(body);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0];
    throw error;
  }
  return { code: "none", message: "" };
}

/** What JavaScript users may write, whatever the types say. */
function loosely(value: unknown): never {
  return value as never;
}

const { CognitoUserPool: UserPool } = scrim.aws;

describe("a user pool", () => {
  it("has the defaults of the reference", () => {
    expect(nodesOf(() => new UserPool("Users"))).toMatchObject([
      {
        ...{ kind: "CognitoUserPool", name: "Users", aliases: [], transform: {} },
        ...{ usernames: [], signInAliases: [], verify: null, domain: null, clients: [] },
      },
    ]);
  });

  it("takes every option", () => {
    const [node] = nodesOf(
      () =>
        new UserPool("Users", {
          aliases: ["email", "OldUsers", "preferred_username"],
          verify: { emailSubject: "Hello", emailMessage: "Your code is {####}" },
          domain: { prefix: "notes-alice" },
          transform: { userPool: { selfSignUp: false } },
        }),
    );
    expect(node).toMatchObject({
      aliases: ["OldUsers"],
      signInAliases: ["email", "preferred_username"],
      verify: { emailSubject: "Hello", emailMessage: "Your code is {####}", smsMessage: null },
      domain: { kind: "prefix", prefix: "notes-alice" },
      transform: { userPool: { selfSignUp: false } },
    });
  });

  it("has a domain of its own, of the cloud, or none", () => {
    const domainOf = (domain: true | false | string) => {
      const [node] = nodesOf(() => new UserPool("Users", { domain }));
      return node?.kind === "CognitoUserPool" ? node.domain : undefined;
    };
    expect(domainOf(true)).toEqual({ kind: "prefix", prefix: null });
    expect(domainOf(false)).toBeNull();
    expect(domainOf("auth.example.com")).toEqual({ kind: "custom", name: "auth.example.com" });
  });

  it("refuses what Cognito would refuse, and options that are not there", () => {
    const wrong: readonly (readonly [object, string, string])[] = [
      [{ usernames: ["email"], aliases: ["phone"] }, "OPTION_INVALID", "usernames and aliases"],
      [{ usernames: ["mail"] }, "OPTION_INVALID", "usernames[0]"],
      [{ usernmes: [] }, "OPTION_UNKNOWN", "usernmes"],
      [{ mfa: "on" }, "OPTION_NOT_AVAILABLE", "mfa"],
      [{ domain: { prefix: "my-cognito" } }, "OPTION_INVALID", "domain.prefix"],
      [{ domain: "Not A Domain" }, "OPTION_INVALID", "domain"],
      [{ verify: { emailMessage: "no code" } }, "OPTION_INVALID", "verify.emailMessage"],
    ];
    for (const [args, code, text] of wrong) {
      const problem = problemOf(() => new UserPool("Users", loosely(args)));
      expect([args, problem.code]).toEqual([args, code]);
      expect(problem.message).toContain(text);
    }
  });
});

describe("a client of a user pool", () => {
  it("has the defaults of the reference", () => {
    const [pool, client] = nodesOf(() => new UserPool("Users").addClient("Web"));
    expect(pool).toMatchObject({ clients: ["Web"] });
    expect(client).toMatchObject({
      ...{ kind: "CognitoUserPoolClient", name: "Web", pool: new ComponentRef("Users", "id") },
      ...{ callbackUrls: [], logoutUrls: [], generateSecret: false },
      authFlows: ["USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"],
      scopes: ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"],
    });
  });

  it("takes addresses that are known only after the deploy", () => {
    const nodes = nodesOf(() => {
      const api = new scrim.aws.ApiGatewayV2("Api");
      new UserPool("Users").addClient("Web", { callbackUrls: [api.url] });
    });
    expect(nodes.at(-1)).toMatchObject({ callbackUrls: [new ComponentRef("Api", "url")] });
  });

  it("has a name that no other component has", () => {
    const problem = problemOf(() => {
      new scrim.aws.Bucket("Web");
      new UserPool("Users").addClient("Web");
    });
    expect(problem.code).toBe("COMPONENT_NAME_TAKEN");
  });

  it("refuses flows and options that are not there", () => {
    for (const args of [{ authFlows: ["CUSTOM_AUTH"] }, { providers: ["Google"] }, { x: 1 }])
      expect(problemOf(() => new UserPool("Users").addClient("Web", loosely(args))).code).toMatch(
        /^OPTION_/,
      );
  });
});

describe("links", () => {
  it("of a pool hold the ids of all clients, of those too that are added later", () => {
    let pool: CognitoUserPool | null = null;
    const nodes = nodesOf(() => {
      pool = new UserPool("Users", { domain: true });
      expect(Object.keys(pool.getLink().properties)).toEqual([
        ...["id", "clientIds", "region", "domain"],
      ]);
      pool.addClient("Web");
      pool.addClient("Admin", { generateSecret: true });
    });
    expect(nodes[0]).toMatchObject({ clients: ["Web", "Admin"] });
    const [first, , third] = nodes;
    if (first?.kind !== "CognitoUserPool" || third?.kind !== "CognitoUserPoolClient")
      throw new Error("not the nodes that were made");
    const { clientIds, region } = linkOf(first).properties;
    expect(clientIds).toMatchObject({ resultType: "string[]" });
    if (!(region instanceof ComponentComputed)) throw new Error("not computed");
    expect(region.compute(["eu-west-1_abc"])).toBe("eu-west-1");
    expect(Object.keys(linkOf(third).properties)).toEqual(["id", "secret"]);
  });
});
