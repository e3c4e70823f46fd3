import { expect, it, onTestFinished } from "vitest";
import { makeProject } from "../support/project.ts";

/** Writes the name of every module of the AWS SDK that a process loads to its standard error. */
const WATCH = `
import { Module, register } from "node:module";
const load = Module._load;
Module._load = function (name, ...rest) {
  if (name.startsWith("@aws-sdk/")) process.stderr.write("LOADED " + name + "\\n");
  return load.call(this, name, ...rest);
};
register("./watch-modules.mjs", import.meta.url);
`;
const WATCH_MODULES = `
import { writeSync } from "node:fs";
export async function resolve(name, context, next) {
  if (name.startsWith("@aws-sdk/")) writeSync(2, "LOADED " + name + "\\n");
  return next(name, context);
}
`;

it("who stays on the local cloud never loads the AWS SDK", { timeout: 120_000 }, async () => {
  const project = makeProject();
  onTestFinished(() => project.dispose());
  project.write("watch.mjs", WATCH);
  project.write("watch-modules.mjs", WATCH_MODULES);
  const nodeFlags = ["--import", new URL(`file://${project.folder}/watch.mjs`).href];
  const commands = [
    ["deploy", "--stage", "dev"],
    ["diff", "--stage", "dev"],
    ["secret", "set", "Token", "x", "--stage", "dev"],
    ["state", "list"],
    ["aws", "policy"],
    ["remove", "--stage", "dev"],
  ];
  for (const command of commands) {
    const { exit, stderr } = await project.scrim(command, { nodeFlags });
    expect(exit, stderr).toBe(0);
    expect(stderr).not.toContain("LOADED");
  }
  const env = { AWS_REGION: "eu-west-1", AWS_ENDPOINT_URL: "http://127.0.0.1:9" };
  const elsewhere = await project.scrim(["state", "list", "--home", "aws"], { nodeFlags, env });
  expect(elsewhere.stderr).toContain("LOADED @aws-sdk/");
});
