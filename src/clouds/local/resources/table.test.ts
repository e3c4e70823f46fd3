import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../model/json.ts";
import { keysThatReplace } from "./table.ts";

const before: JsonObject = {
  fields: { id: "string", at: "number", owner: "string" },
  primaryIndex: { hashKey: "id", rangeKey: "at", projection: "all" },
  localIndexes: {},
  globalIndexes: {},
};

describe("a change of a table", () => {
  it.each([
    ["another primary key", ["primaryIndex"], {}, ["primaryIndex"]],
    ["other local indexes", ["localIndexes"], {}, ["localIndexes"]],
    ["other global indexes", ["globalIndexes"], {}, []],
    ["deletion protection", ["deletionProtection"], {}, []],
    [
      "another type of a key field",
      ["fields"],
      { fields: { id: "string", at: "string", owner: "string" } },
      ["fields"],
    ],
    ["one field more", ["fields"], { fields: { id: "string", at: "number", more: "string" } }, []],
  ])("to %s replaces what AWS would replace", (_, changed, after, expected) => {
    expect(keysThatReplace(changed, before, { ...before, ...after })).toEqual(expected);
  });

  it("of which nothing is known before replaces nothing", () => {
    expect(keysThatReplace(["primaryIndex", "fields"], null, before)).toEqual([]);
  });
});
