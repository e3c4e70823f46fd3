import { describe, expect, it } from "vitest";
import type { CognitoUserPoolClientNode, CognitoUserPoolNode } from "../../../components/node.ts";
import type { ResourceHandler } from "../../../engine/handler.ts";
import { urnOf } from "../../../model/urn.ts";
import { Computed, Ref, Sensitive } from "../../../model/value.ts";
import type { LoweringContext } from "../../cloud.ts";
import type { ResourceAccess } from "../resources/control-resource.ts";
import { userPoolHandler } from "../resources/user-pool.ts";
import { userPoolClientHandler } from "../resources/user-pool-client.ts";
import { parsePoolClient } from "../services/cognito/pools/pool-client.ts";
import { parseUserPool } from "../services/cognito/pools/user-pool.ts";
import { lowerUserPool } from "./lower-user-pool.ts";
import { lowerUserPoolClient } from "./lower-user-pool-client.ts";

const base = { aliases: [], source: null, transform: {} };
const poolUrn = urnOf("local:user-pool", "Users");
const clientUrn = urnOf("local:user-pool-client", "Web");

const pool: CognitoUserPoolNode = {
  ...{ ...base, kind: "CognitoUserPool", name: "Users", usernames: ["email", "phone"] },
  ...{ signInAliases: [], verify: null, domain: null, clients: ["Web"] },
};

const client: CognitoUserPoolClientNode = {
  ...{ ...base, kind: "CognitoUserPoolClient", name: "Web" },
  pool: new Ref(poolUrn, "id"),
  ...{ callbackUrls: ["http://127.0.0.1:1/x"], logoutUrls: [], generateSecret: true },
  ...{ authFlows: ["USER_SRP_AUTH"], scopes: ["openid"] },
};

const context: Pick<LoweringContext, "open"> = {
  open: (value) => (value === "encrypted" ? "clear" : value),
};

const identity = { id: "us-east-1_abcdefghi", name: "n", createdMs: 0, modifiedMs: 0 };

describe("a user pool on the local cloud", () => {
  it("is lowered to what its service takes", () => {
    const { goals, outputs } = lowerUserPool(pool);
    expect(goals.map(({ urn }) => urn)).toEqual([poolUrn]);
    const inputs = goals[0]?.inputs as Parameters<typeof parseUserPool>[1];
    expect(parseUserPool(identity, inputs)).toMatchObject({
      ...{ logName: "Users", usernameAttributes: ["email", "phone_number"], hostedLogin: false },
    });
    expect(outputs["clientIds"]).toEqual([new Ref(clientUrn, "id")]);
    expect(outputs).not.toHaveProperty("domain");
    const withDomain = lowerUserPool({ ...pool, domain: { kind: "prefix", prefix: null } });
    expect(withDomain.outputs["domain"]).toEqual(new Ref(poolUrn, "domain"));
  });

  it("has a client whose secret nobody sees by accident", () => {
    const { goals, outputs } = lowerUserPoolClient(client, context);
    const inputs = { ...goals[0]?.inputs, pool: identity.id } as Parameters<
      typeof parsePoolClient
    >[1];
    expect(parsePoolClient({ ...identity, secret: null }, inputs)).toMatchObject({
      ...{ pool: identity.id, accessTokenSeconds: 3600, refreshTokenSeconds: 2_592_000 },
    });
    const { secret } = outputs;
    if (!(secret instanceof Computed)) throw new Error("not computed");
    expect(secret.inputs).toEqual([new Ref(clientUrn, "secret")]);
    expect(secret.compute(["s"])).toBeInstanceOf(Sensitive);
    expect(lowerUserPoolClient({ ...client, generateSecret: false }, context).outputs).toEqual({
      id: new Ref(clientUrn, "id"),
    });
  });

  it("refuses callbacks that Cognito would refuse", () => {
    const { goals } = lowerUserPoolClient(client, context);
    const inputs = { ...goals[0]?.inputs, pool: identity.id } as Parameters<
      typeof parsePoolClient
    >[1];
    const wrong = [
      ...["http://example.com/x", "https://a.b/#x", "javascript:alert(1)", "/x", "not a url"],
    ];
    for (const url of wrong)
      expect(() =>
        parsePoolClient({ ...identity, secret: null }, { ...inputs, callbackUrls: [url] }),
      ).toThrow(/callbackUrls of n is not/);
    for (const url of ["https://a.b/x", "http://localhost:3000/x", "notes://done"])
      parsePoolClient({ ...identity, secret: null }, { ...inputs, callbackUrls: [url] });
  });

  it("refuses a transform that it would ignore", () => {
    const odd = { ...pool, transform: { userPool: { mfaConfiguration: "ON" } } };
    expect(() => lowerUserPool(odd)).toThrow(/sets mfaConfiguration/);
  });
});

describe("its handlers", () => {
  const access = {} as ResourceAccess;
  const changed = (handler: ResourceHandler, keys: readonly string[]) =>
    handler.replaces(keys, {}, {});

  it("know the ids before anything is made", () => {
    const predicted = userPoolHandler(access).predict?.("app-x-Users-abc", {});
    expect(predicted).toMatchObject({
      id: expect.stringMatching(/^us-east-1_[0-9A-Za-z]{9}$/),
      issuer: `https://cognito-idp.us-east-1.amazonaws.com/${predicted?.["id"]}`,
    });
    expect(userPoolClientHandler(access).predict?.("app-x-Web-abc", {})).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{26}$/),
    });
  });

  it("guard users, and replace only for what Cognito fixes", () => {
    expect([userPoolHandler(access).data, userPoolClientHandler(access).data]).toEqual([
      true,
      false,
    ]);
    expect(changed(userPoolHandler(access), ["passwordPolicy", "usernameAttributes"])).toEqual([
      "usernameAttributes",
    ]);
    expect(changed(userPoolClientHandler(access), ["callbackUrls", "generateSecret"])).toEqual([
      "generateSecret",
    ]);
  });
});
