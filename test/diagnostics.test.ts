import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/root.ts";

/** Calls that make a diagnostic of the code and the message that they are given. */
const MAKERS = "fail|problem|warning|misplaced|refusal|refuse|warn";

/** `fail("CODE"`, `problem(spec, "CODE"`, `fail(isImport(x) ? "CODE"`, `code: "CODE"`, `code: x ? "CODE"`. */
const EMITTED = [
  new RegExp(`\\b(?:${MAKERS})\\(\\s*(?:[\\w.]+,\\s*)?(?:[^,;"]*\\?\\s*)?"([A-Z][A-Z0-9_]+)"`, "g"),
  /\bfail\([^;"]*"[A-Z][A-Z0-9_]+"\s*:\s*"([A-Z][A-Z0-9_]+)"/g,
  /\bcode:\s*(?:[^,;"]*\?\s*)?"([A-Z][A-Z0-9_]+)"/g,
];

/** Messages that are written where the diagnostic is made. */
const MESSAGES = [
  new RegExp(
    `\\b(?:${MAKERS})\\(\\s*(?:[\\w.]+,\\s*)?"[A-Z][A-Z0-9_]+",\\s*(?:"([^"\\n]*)"|'([^'\\n]*)'|\`([^\`]*)\`)`,
    "g",
  ),
  /\bmessage:\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`),?\n\s*(?:why|hint|source|exit)\b/g,
];

/** How a message may begin: with a capital letter, a value, a flag, or a name as in `app()` and `nodejs.loader`. */
const BEGINNING = /^(?:[A-Z]|\$|--|"|[a-z]\w*[.(]|copyFiles )/;

/** Errors of the auth library answer requests; they are not told to who runs commands. */
const NOT_OURS = /^(?:auth|testing)\/|\.test\.ts$|fixture|driver/;

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !NOT_OURS.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, "src", file), "utf8") }));

const found = (patterns: readonly RegExp[]): readonly (readonly [string, string])[] =>
  sources.flatMap(({ file, text }) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(
        (match) => [match.slice(1).find((group) => group !== undefined) ?? "", file] as const,
      ),
    ),
  );

const rows = readFileSync(join(root, "docs/diagnostics.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const documented = rows.map(([, code = ""]) => code.replaceAll("`", ""));

describe("docs/diagnostics.md", () => {
  const emitted = new Map(found(EMITTED));

  it("is compared with real sources", () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(emitted.size).toBeGreaterThan(120);
  });

  it("lists every code that the source can emit", () => {
    const missing = [...emitted].filter(([code]) => !documented.includes(code));
    expect(missing).toEqual([]);
  });

  it("lists no code that nothing emits, and none twice", () => {
    const all = sources.map(({ text }) => text).join("\n");
    expect(documented.filter((code) => !all.includes(`"${code}"`))).toEqual([]);
    expect(documented.filter((code, index) => documented.indexOf(code) !== index)).toEqual([]);
  });

  it("tells exit code, meaning and remedy of each", () => {
    const known = /^(?:-|1|2|3|4|5|6|7|130|1, 2|1, 7)$/;
    const incomplete = rows.filter(
      ([, , exit = "", meaning = "", remedy = ""]) =>
        !known.test(exit) || !meaning.endsWith(".") || !remedy.endsWith("."),
    );
    expect(incomplete).toEqual([]);
  });
});

describe("a diagnostic's message", () => {
  const messages = found(MESSAGES);

  it("is looked at in real sources", () => {
    expect(messages.length).toBeGreaterThan(80);
  });

  it("begins with a capital letter or a name and has no final period", () => {
    const odd = messages.filter(
      ([text, file]) =>
        (!BEGINNING.test(text) && !(file.startsWith("components/") && /^unknown /.test(text))) ||
        text.endsWith("."),
    );
    expect(odd).toEqual([]);
  });
});
