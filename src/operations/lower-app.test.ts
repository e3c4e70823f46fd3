import { describe, expect, it } from "vitest";
import type { Cloud } from "../clouds/cloud.ts";
import { lower as lowerLocal } from "../clouds/local/lowering/lower.ts";
import { AppBuilder } from "../components/app-builder.ts";
import { enterEvaluation } from "../components/evaluation.ts";
import { interpolate } from "../components/interpolate.ts";
import { scrim } from "../components/namespace.ts";
import type { ComponentNode } from "../components/node.ts";
import { functionsOf } from "../components/resolve-refs.ts";
import { buildGraph } from "../engine/graph/graph.ts";
import { urnOf } from "../model/urn.ts";
import { lowerApp } from "./lower-app.ts";

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

function loweredOf(body: () => void, lower: Cloud["lower"] = lowerLocal) {
  const nodes = nodesOf(body);
  const bundle = {
    hash: "0".repeat(64),
    handler: "index.x",
    zipFile: "",
    sizeBytes: 1,
    inputs: [],
  };
  const cloud: Pick<Cloud, "lower"> = { lower };
  return lowerApp({
    app: { name: "app", nodes, outputs: {} },
    ...{ stage: "x", dev: false, secrets: new Map() },
    cloud: cloud as Cloud,
    open: (value) => value,
    bundles: new Map(nodes.flatMap(functionsOf).map((spec) => [spec, bundle])),
  });
}

describe("lowering an app", () => {
  it("takes components that need each other, as long as their resources do not", () => {
    const { goals } = loweredOf(() => {
      const users = new scrim.aws.CognitoUserPool("Users", { domain: true });
      const api = new scrim.aws.ApiGatewayV2("Api");
      const callback = interpolate`${api.url}/callback`;
      const web = users.addClient("Web", { callbackUrls: [callback], generateSecret: true });
      api.route("GET /", {
        handler: "src/a.x",
        link: [users, web],
        environment: { OWN: api.url },
      });
    });
    const { order } = buildGraph(goals);
    const names = order.map((urn) => urn.slice("local:".length));
    expect(names.slice(-3)).toEqual([
      "user-pool-client::Web",
      "function::Api/GET /",
      "route::Api/GET /",
    ]);
    expect(names).toHaveLength(5);
  });

  it("takes what several components share once, in front of them", () => {
    const goal = { ...{ component: "Logs", name: "Logs" }, dependsOn: [], aliases: [] };
    const { goals } = loweredOf(
      () => {
        new scrim.aws.Bucket("One");
        new scrim.aws.Bucket("Two");
      },
      (node, context) => ({
        ...lowerLocal(node, context),
        shared: [{ ...goal, urn: urnOf("x:logs", "Logs"), type: "x:logs", inputs: {} }],
      }),
    );
    expect(goals.map(({ urn }) => urn)).toEqual([
      ...["x:logs::Logs", "local:bucket::One", "local:bucket::Two"],
    ]);
  });
});
