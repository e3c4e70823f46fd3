import { describe, expect, it } from "vitest";
import { areOurs, ownerIn, tagList, tagsFor, tagsIn } from "./ownership.ts";

const tags = {
  ...{ "scrim:app": "shop", "scrim:stage": "Dev", "scrim:lineage": "ab12" },
  ...{ "scrim:urn": "aws:role::Api/GET /notes/{id}", "scrim:generation": "1" },
};

describe("ownership tags", () => {
  it("hold only what every service takes", () => {
    const values = Object.values(tagsFor({ ...tags, "scrim:app": "\u00fc$" }));
    for (const value of values) expect(value).toMatch(/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u);
    expect(tagsFor(tags)["scrim:urn"]).toBe("aws=3Arole::Api/GET /notes/=7Bid=7D");
  });

  it("never begin with the prefix that AWS keeps for itself", () => {
    expect(tagsFor(tags)["scrim:urn"]?.startsWith("aws:")).toBe(false);
  });

  it("stay apart however long they are", () => {
    const long = (end: string) => ({
      ...tags,
      "scrim:urn": `aws:route::${"a/".repeat(200)}${end}`,
    });
    const [one, two] = [tagsFor(long("1")), tagsFor(long("2"))];
    expect(one["scrim:urn"]).toHaveLength(256);
    expect(one).not.toEqual(two);
  });

  it("are ours when all are the same, whatever else is there", () => {
    expect(areOurs({ ...tagsIn(tagList(tags)), team: "a" }, tags)).toBe(true);
    expect(areOurs({ ...tagsFor(tags), "scrim:stage": "dev" }, tags)).toBe(false);
    expect(areOurs({}, tags)).toBe(false);
  });

  it("tell whose a thing is", () => {
    expect(ownerIn(tagsFor(tags))).toBe("app shop, stage Dev, lineage ab12");
    expect(ownerIn({})).toContain("someone");
  });
});
