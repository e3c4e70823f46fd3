import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, projectWith } from "./project.fixture.ts";
import { scrimEnvText, writeScrimEnv } from "./scrim-env.ts";

const RUN = `
const notes = new scrim.aws.Dynamo("Notes", { fields: { id: "string" }, primaryIndex: { hashKey: "id" } });
new scrim.Secret("ApiToken");
new scrim.aws.ApiGatewayV2("Api");
new scrim.aws.Function("Plain", { handler: "a.b" });
new scrim.aws.Function("Reachable", { handler: "a.b", url: true });
new scrim.Linkable("Limits", { properties: {
  uploads: 10, name: "x", on: true, nothing: null, list: [1, "a"], empty: [], none: {},
  deep: { "odd key": notes.name }, text: $interpolate\`\${notes.name}!\`, later: notes.name.apply((n) => n.length),
} });`;

describe("scrim-env.d.ts", () => {
  it("has a member for every component, with the types of its properties", async () => {
    const { nodes } = await evaluate(RUN);
    expect(scrimEnvText(nodes)).toBe(`// Written by scrim from scrim.config.ts. Changes are lost.
declare module "scrim" {
  export interface Resource {
    Api: { type: "scrim.aws.ApiGatewayV2"; url: string; };
    ApiToken: { type: "scrim.Secret"; value: string; };
    Limits: { type: "scrim.Linkable"; deep: { "odd key": string; }; empty: unknown[]; later: unknown; list: (number | string)[]; name: string; none: {}; nothing: null; on: boolean; text: string; uploads: number; };
    Notes: { type: "scrim.aws.Dynamo"; name: string; };
    Plain: { type: "scrim.aws.Function"; name: string; };
    Reachable: { type: "scrim.aws.Function"; name: string; url: string; };
  }
}
import "scrim";
export {};
`);
  });

  it("does not depend on the order of components, and is written only when it changes", async () => {
    const { nodes } = await evaluate(RUN);
    expect(scrimEnvText([...nodes].reverse())).toBe(scrimEnvText(nodes));
    const folder = projectWith({});
    expect(writeScrimEnv(folder, nodes)).toBe(true);
    const { mtimeMs } = statSync(join(folder, "scrim-env.d.ts"));
    expect(writeScrimEnv(folder, [...nodes].reverse())).toBe(false);
    expect(statSync(join(folder, "scrim-env.d.ts")).mtimeMs).toBe(mtimeMs);
    expect(writeScrimEnv(folder, nodes.slice(1))).toBe(true);
    expect(readFileSync(join(folder, "scrim-env.d.ts"), "utf8")).not.toContain("Notes");
  });
});
