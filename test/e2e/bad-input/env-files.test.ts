import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appConfig, makeProject } from "../../support/project.ts";
import { type RefusedRow, refuses } from "../../support/refused-rows.ts";

const env = (what: string, content: string | Uint8Array, ...says: string[]): RefusedRow => ({
  what,
  files: { ".env": content },
  says,
  hides: ["hush"],
});

refuses("an .env file", [
  env("a quote that is never closed", 'A="hush\nB=1\n', "opens a quote", ".env:1"),
  env("a key that no variable can have", "1A=hush\n", 'has the key "1A"', ".env:1"),
  env("a line that is no KEY=value", "A=1\nhush\n", "is no KEY=value", ".env:2"),
  env("every bad line at once", "1A=hush\nB=1\nhush\n", ".env:1", ".env:3"),
  env("UTF-16", Buffer.from("\ufeffA=hush\n", "utf16le"), "It is UTF-16 text.", "UTF-8"),
  env("bytes that are no text", new Uint8Array([0x41, 0x3d, 0xff]), "It is not UTF-8 text."),
  {
    what: "a folder",
    prepare: ({ folder }) => mkdirSync(join(folder, ".env")),
    says: ["cannot be read", "It is not a file."],
  },
  {
    what: "the file of the stage, too",
    files: { ".env.dev": 'A="hush\n' },
    says: ["opens a quote", ".env.dev:1"],
    hides: ["hush"],
  },
  ...(process.getuid?.() === 0
    ? []
    : [
        {
          what: "one without the right to read it",
          files: { ".env": "A=1\n" },
          prepare: ({ folder }: { folder: string }) => chmodSync(join(folder, ".env"), 0),
          says: ["cannot be read", "EACCES"],
        },
      ]),
]);

it("a key in both files is that of .env, and a warning names it without its values", async () => {
  const project = makeProject({
    "scrim.config.ts": appConfig({ run: "return { level: process.env.LEVEL };" }),
    ".env": "LEVEL=first-value\n",
    ".env.dev": "LEVEL=second-value\nSCRIM_STAGE=elsewhere\n",
  });
  const { exit, stdout, stderr } = await project.scrim(["deploy", "--stage", "dev"]);
  expect(exit).toBe(0);
  expect(stdout).toContain("first-value");
  expect(stderr).toContain("LEVEL in .env.dev has no effect: .env sets it too and wins");
  expect(stderr).toContain("SCRIM_STAGE in .env.dev is ignored");
  expect(stderr).not.toMatch(/first-value|second-value/);
  await project.dispose();
});
