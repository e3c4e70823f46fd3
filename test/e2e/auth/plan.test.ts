import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appConfig, makeProject, type Project } from "../../support/project.ts";

const handlers = {
  "src/auth.ts": 'export const handler = async () => ({ user: { id: "u1" } });\n',
  "src/me.ts": "export const get = async () => ({ statusCode: 200 });\n",
};

const config = (route: string) =>
  appConfig({
    run: `const notes = new scrim.aws.Dynamo("Notes", {
      fields: { id: "string" }, primaryIndex: { hashKey: "id" } });
    const auth = new scrim.aws.Auth("Auth", { authorizer: {
      handler: "src/auth.handler", link: [notes],
      permissions: [{ actions: ["ses:SendEmail"], resources: ["*"] }],
    } });
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /me", ${route});
    return { url: api.url, auth: String(auth !== undefined) };`,
  });

const PROTECTED = `{ handler: "src/me.get", auth,
      permissions: [{ actions: ["sns:Publish"], resources: ["*"] }] }`;
const WARNING = "Route Api/GET /me becomes PUBLIC";

describe("the plan of a route that is protected", () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject({ ...handlers, "scrim.config.ts": config(PROTECTED) });
  });
  afterAll(() => project.dispose());

  const diff = (...flags: readonly string[]) =>
    project.scrim(["diff", "--stage", "dev", "--exit-code", ...flags]);

  it("tells what handler and authorizer may do together", async () => {
    const planned = await diff();
    expect(planned).toMatchObject({ exit: 10, stderr: "" });
    expect(planned.stdout).toContain('auth: "Auth"');
    expect(planned.stdout).toContain("Api/GET /me, protected by Auth");
    expect(planned.stdout).toContain("allow dynamodb:* on Notes.arn, Notes.arn/*");
    expect(planned.stdout).toContain("allow ses:SendEmail on *");
    expect(planned.stdout).toContain("allow sns:Publish on *");
    const { protectedRoutes } = JSON.parse((await diff("--json")).stdout);
    expect(protectedRoutes).toMatchObject([{ route: "Api/GET /me", auth: "Auth" }]);
    expect(await project.scrim(["deploy", "--stage", "dev"])).toMatchObject({ exit: 0 });
  });

  it("tells nothing of it where nothing changes", async () => {
    const planned = await diff();
    expect(planned.exit).toBe(0);
    expect(planned.stdout).not.toContain("protected by");
  });

  it("warns when the route becomes public, at the plan and at the deploy", async () => {
    project.write("scrim.config.ts", config('{ handler: "src/me.get" }'));
    const planned = await diff();
    expect(planned.exit).toBe(10);
    expect(planned.stderr).toContain(`Warning: ${WARNING}`);
    expect(planned.stderr).toContain("So far Auth protects it");
    const { warnings } = JSON.parse((await diff("--json")).stdout);
    expect(warnings).toMatchObject([{ severity: "warning", code: "ROUTE_NOW_PUBLIC" }]);
    const deployed = await project.scrim(["deploy", "--stage", "dev"]);
    expect(deployed.exit).toBe(0);
    expect(deployed.stderr).toContain(`Warning: ${WARNING}`);
    const url = deployed.stdout.match(/http:\S+/)?.[0] ?? "";
    expect((await fetch(new URL("/me", url))).status).toBe(200);
  });

  it("is silent when the route is protected again", async () => {
    project.write("scrim.config.ts", config(PROTECTED));
    expect(await diff()).toMatchObject({ exit: 10, stderr: "" });
  });
});
