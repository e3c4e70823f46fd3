import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { urnOf } from "../model/urn.ts";
import { type NameParts, physicalName } from "./physical-name.ts";
import { tokenOf } from "./token.ts";

const PARTS: NameParts = {
  app: "notes",
  stage: "alice",
  urn: urnOf("t", "Uploads"),
  name: "Uploads",
  generation: 1,
  naming: { maxLength: 63, lowerCase: false },
};

describe("physicalName", () => {
  it("is app, stage, name and a hash, and never changes", () => {
    expect(physicalName(PARTS)).toBe("notes-alice-Uploads-2llhvd2f7k");
  });

  it("differs where stage, urn or generation differ, also by case alone and where case is lost", () => {
    const naming = { maxLength: 63, lowerCase: true };
    const names = [
      { stage: "dev" },
      { stage: "Dev" },
      { generation: 2 },
      { urn: urnOf("u", "Uploads") },
      { app: "note", stage: "salice" },
    ].map((change) => physicalName({ ...PARTS, naming, ...change }));
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => name === name.toLowerCase())).toBe(true);
  });

  it("shortens the app first, then the stage, then the name, and never the hash", () => {
    const at = (maxLength: number): string =>
      physicalName({
        ...PARTS,
        app: "application",
        stage: "production",
        naming: { maxLength, lowerCase: false },
      });
    expect(at(38)).toMatch(/^applicat-production-Uploads-[a-z2-7]{10}$/);
    expect(at(30)).toMatch(/^appl-produc-Uploads-[a-z2-7]{10}$/);
    expect(at(24)).toMatch(/^appl-prod-Upl-[a-z2-7]{10}$/);
    expect(at(12)).toMatch(/^[a-z2-7]{10}$/);
  });

  it("holds nothing but letters, digits and single hyphens, and fits, whatever the parts are", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 80 });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.integer({ min: 10, max: 80 }),
        (app, stage, name, maxLength) => {
          const naming = { maxLength, lowerCase: true };
          const made = physicalName({ ...PARTS, app, stage, name, naming });
          expect(made).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(made.length).toBeLessThanOrEqual(maxLength);
        },
      ),
    );
  });
});

describe("tokenOf", () => {
  const parts = { lineage: "l", app: "a", stage: "s", urn: urnOf("t", "N"), generation: 1 };

  it("is the same for the same mutation and fits the strictest cloud", () => {
    expect(tokenOf(parts)).toBe(tokenOf({ ...parts }));
    expect(tokenOf(parts)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("differs for every part, so that no two stages share one", () => {
    const others = [{ lineage: "m" }, { app: "b" }, { stage: "S" }, { generation: 2 }];
    const tokens = others.map((change) => tokenOf({ ...parts, ...change }));
    expect(new Set([tokenOf(parts), ...tokens]).size).toBe(5);
  });
});
