import { expect, it, onTestFinished } from "vitest";
import { makeProject } from "../support/project.ts";

it("scrim aws policy prints the app's permissions without credentials", async () => {
  const project = makeProject({
    "scrim.config.ts": `export default $config({
  app() {
    return { name: "shop", home: "aws", removal: "remove", providers: { aws: { region: "eu-west-1" } } };
  },
  async run() {},
});
`,
  });
  onTestFinished(() => project.dispose());
  const { exit, stdout, stderr } = await project.scrim(["aws", "policy"]);
  expect(exit, stderr).toBe(0);
  const policy = JSON.parse(stdout);
  expect(policy.Version).toBe("2012-10-17");
  expect(JSON.stringify(policy)).toContain("arn:aws:lambda:eu-west-1:*:function:shop*");
});
