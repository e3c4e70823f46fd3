import { describe, expect, it } from "vitest";
import { COMMON, commandReference, describedCommands } from "./support/command-reference.ts";

describe("the commands", () => {
  const commands = describedCommands();

  it("are more than a few", () => {
    expect(commands.length).toBeGreaterThan(20);
  });

  it.each(commands.map((command) => [command.words, command] as const))(
    "include %s, which explains itself",
    (words, { brief, fullDescription, flags }) => {
      expect(brief).toMatch(/^[A-Z].*[^.]$/);
      const examples = fullDescription.split("\n\nEXAMPLES\n")[1]?.split("\n") ?? [];
      expect(examples.length).toBeGreaterThan(0);
      for (const line of examples) expect(line).toMatch(/ {2}# \S/);
      expect(examples.join("\n")).toContain(`scrim ${words}`);
      expect(Object.keys(flags)).toEqual(expect.arrayContaining([...COMMON]));
      for (const line of fullDescription.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    },
  );

  it("are described in docs/reference/commands.md as they describe themselves", async () => {
    await expect(commandReference()).toMatchFileSnapshot("../docs/reference/commands.md");
  });
});
