import { expect, it } from "vitest";
import { appConfig, makeProject } from "../../support/project.ts";
import { type RefusedRow, refuses } from "../../support/refused-rows.ts";

const set = (what: string, args: readonly string[], ...says: readonly string[]): RefusedRow => ({
  what,
  args: ["secret", "set", ...args],
  says,
  hides: ["hush"],
});
const TO = ["--stage", "dev"];

refuses("a secret", [
  set("a name that begins with a digit", ["1BAD", "hush", ...TO], '"1BAD" is not a name'),
  set("a name with a hyphen", ["MY-KEY", "hush", ...TO], '"MY-KEY" is not a name'),
  set("an empty name", ["", "hush", ...TO], "is not a name for a secret"),
  set("a name of 200 characters", ["x".repeat(200), "hush", ...TO], "at most 128"),
  set("no name", TO, "The argument <name> is missing"),
  set("more than one value", ["A", "hush", "more", ...TO], "one argument too many"),
  set(
    "a stage and the fallback at once",
    ["A", "hush", ...TO, "--fallback"],
    "--stage and --fallback exclude each other",
  ),
  { ...set("an input of nothing", ["A", ...TO], "No value was given for A"), input: "" },
  { ...set("an input of one line break", ["A", ...TO], "No value was given for A"), input: "\n" },
  {
    ...set("a value of 1 MB", ["A", ...TO], "The value of A has 1000000 bytes", "64 KiB"),
    input: "x".repeat(1_000_000),
  },
  {
    ...set("an input of 2 MB", ["A", ...TO], "Standard input holds more than 1 MiB"),
    input: "x".repeat(2_000_000),
  },
  {
    ...set("an input that is no text", ["A", ...TO], "Standard input is not UTF-8 text"),
    input: new Uint8Array([0xff, 0xfe, 0x00]),
  },
  {
    what: "a deploy that lacks some: all missing names are told at once",
    run: 'new scrim.Secret("One"); new scrim.Secret("Seed"); new scrim.Secret("Two", "x"); new scrim.Secret("Three");',
    says: [
      "Secret One has no value for stage dev",
      "Secret Seed has no value for stage dev",
      "Secret Three has no value for stage dev",
      "Run scrim secret set One --stage dev, or scrim secret set One --fallback.",
    ],
    hides: ["Two"],
  },
  {
    what: "a placeholder that is no text",
    run: 'new scrim.Secret("One", 1);',
    says: ["the number 1"],
  },
]);

it("an empty value, one of several lines and one in any language can be stored on purpose", async () => {
  const run =
    'const a = new scrim.Secret("A"); return { length: a.value.apply((v) => String([...v].length)) };';
  const project = makeProject({ "scrim.config.ts": appConfig({ run }) });
  for (const value of ["", "two\nlines", " spaces ", "\u4f60\u597d\u{1f642}"]) {
    expect(await project.scrim(["secret", "set", "A", value, ...TO])).toMatchObject({ exit: 0 });
    expect(await project.scrim(["deploy", ...TO])).toMatchObject({ exit: 0 });
  }
  await project.dispose();
});

it("a secret that is set while others are set is never lost", { timeout: 60_000 }, async () => {
  const project = makeProject({ "scrim.config.ts": appConfig() });
  const names = Array.from({ length: 8 }, (_, index) => `Secret${index}`);
  const results = await Promise.all(
    names.map((name) => project.scrim(["secret", "set", name, "value", ...TO])),
  );
  expect(results.map(({ exit }) => exit)).toEqual(names.map(() => 0));
  const { stdout } = await project.scrim(["secret", "list", ...TO, "--json"]);
  const listed = JSON.parse(stdout).secrets as readonly { name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(names);
  await project.dispose();
});
