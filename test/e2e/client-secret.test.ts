import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appConfig, makeProject, type Project } from "../support/project.ts";
import { textsIn, tracesIn } from "../support/traces.ts";

const CONFIG = appConfig({
  run: `
    const users = new scrim.aws.CognitoUserPool("Users");
    const web = users.addClient("Web", { generateSecret: true });
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", { handler: "src/show.secret", link: [web] });
    return { url: api.url, secret: web.secret };`,
});

const HANDLER = `import { Resource } from "scrim";
export async function secret() {
  return { statusCode: 200, body: Resource.Web.secret };
}
`;

describe("the secret of a user pool's client", () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject({ "scrim.config.ts": CONFIG, "src/show.ts": HANDLER });
  });
  afterAll(() => project.dispose());

  it("reaches the function that it is linked to, and stands in clear nowhere in state or output", async () => {
    const deployed = await project.scrim(["deploy", "--stage", "a", "--json"]);
    expect(deployed.exit).toBe(0);
    const { outputs } = JSON.parse(deployed.stdout);
    const secret = await (await fetch(outputs.url)).text();
    expect(secret).toMatch(/^[a-z0-9]{20,}$/);
    const texts = new Map([
      ...textsIn(join(project.home, "state")),
      ...textsIn(join(project.folder, ".scrim")),
      ["printed", Buffer.from(deployed.stdout + deployed.stderr)],
    ]);
    expect(texts.size).toBeGreaterThan(10);
    expect(tracesIn(texts, secret)).toEqual([]);
  });

  it("is the same at the next deploy, which changes nothing", async () => {
    const again = await project.scrim(["deploy", "--stage", "a", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ status: "unchanged" });
    const refreshed = await project.scrim(["refresh", "--stage", "a", "--json"]);
    expect(JSON.parse(refreshed.stdout).drift).toEqual([]);
  });
});
