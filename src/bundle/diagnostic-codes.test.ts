import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const CODE = /"((?:BUNDLE|HANDLER|COPY|CACHE)_[A-Z_]+)"/g;

test("docs/diagnostics.md explains every code of this folder", () => {
  const folder = import.meta.dirname;
  const sources = readdirSync(folder).filter((name) => !name.endsWith(".test.ts"));
  const codes = sources.flatMap((name) => {
    return [...readFileSync(join(folder, name), "utf8").matchAll(CODE)].map(([, code]) => code);
  });
  const docs = readFileSync(join(folder, "../../docs/diagnostics.md"), "utf8");
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !docs.includes(`\`${code}\``))).toEqual([]);
});
