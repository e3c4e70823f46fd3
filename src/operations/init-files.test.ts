import { describe, expect, it } from "vitest";
import { withIgnoredFolder } from "./init-files.ts";

describe("withIgnoredFolder", () => {
  it.each([
    ["", ".scrim/\n"],
    ["dist\n", "dist\n.scrim/\n"],
    ["dist", "dist\n.scrim/\n"],
    ["dist\r\n", "dist\r\n.scrim/\r\n"],
    ["my.scrim/\n", "my.scrim/\n.scrim/\n"],
    ["# .scrim/\n", "# .scrim/\n.scrim/\n"],
  ])("adds the tool's folder to %j", (before, after) => {
    expect(withIgnoredFolder(before)).toBe(after);
  });

  it.each([".scrim\n", "a\n.scrim/\nb\n", "/.scrim/\n", "**/.scrim/\r\n", ".scrim/**\n"])(
    "leaves %j, which names it already",
    (text) => {
      expect(withIgnoredFolder(text)).toBeNull();
    },
  );
});
