import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../model/json.ts";
import { keysThatReplace } from "./keys-that-replace.ts";
import { nextTableStep } from "./table-steps.ts";

const inputs: JsonObject = {
  fields: { id: "string", at: "number", owner: "string" },
  primaryIndex: { hashKey: "id", rangeKey: null, projection: "all" },
  globalIndexes: { byOwner: { hashKey: "owner", rangeKey: "at", projection: "keys-only" } },
  localIndexes: {},
  ...{ deletionProtection: false, ttl: null, stream: null },
};

const byOwner = {
  IndexName: "byOwner",
  KeySchema: [
    { AttributeName: "owner", KeyType: "HASH" as const },
    { AttributeName: "at", KeyType: "RANGE" as const },
  ],
  Projection: { ProjectionType: "KEYS_ONLY" as const },
};

describe("the next change of a table", () => {
  it("is none when it is as wanted", () => {
    expect(nextTableStep({ GlobalSecondaryIndexes: [byOwner] }, inputs)).toBeNull();
  });

  it("adds a missing index with the types of all keys", () => {
    expect(nextTableStep({}, inputs)?.request).toEqual({
      AttributeDefinitions: [
        { AttributeName: "at", AttributeType: "N" },
        { AttributeName: "id", AttributeType: "S" },
        { AttributeName: "owner", AttributeType: "S" },
      ],
      GlobalSecondaryIndexUpdates: [{ Create: byOwner }],
    });
  });

  it("deletes an index that is not wanted any more, or not like this", () => {
    const Delete = { IndexName: "byOwner" };
    const request = { GlobalSecondaryIndexUpdates: [{ Delete }] };
    const table = { GlobalSecondaryIndexes: [byOwner] };
    expect(nextTableStep(table, { ...inputs, globalIndexes: {} })?.request).toEqual(request);
    const wider = { hashKey: "owner", rangeKey: "at", projection: "all" };
    const changed = { ...inputs, globalIndexes: { byOwner: wider } };
    expect(nextTableStep(table, changed)?.request).toEqual(request);
  });

  it("ends a stream before it begins one that shows something else", () => {
    const there = { StreamEnabled: true, StreamViewType: "KEYS_ONLY" as const };
    const wanted = { ...inputs, globalIndexes: {}, stream: "new-image" };
    expect(nextTableStep({ StreamSpecification: there }, wanted)?.request).toEqual({
      StreamSpecification: { StreamEnabled: false },
    });
    expect(nextTableStep({}, wanted)?.request).toEqual({
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    });
  });

  it("begins with the protection", () => {
    expect(nextTableStep({}, { ...inputs, deletionProtection: true })?.request).toEqual({
      DeletionProtectionEnabled: true,
    });
  });
});

describe("a change of a table", () => {
  it.each([
    ["another primary key", "primaryIndex", { hashKey: "owner", rangeKey: null }, true],
    ["other local indexes", "localIndexes", { a: {} }, true],
    ["other global indexes", "globalIndexes", {}, false],
    ["another type of a key", "fields", { id: "number", at: "number", owner: "string" }, true],
    ["one field more", "fields", { id: "string", at: "number", more: "string" }, false],
    ["an expiry", "ttl", "at", false],
  ])("to %s replaces it only where DynamoDB cannot change it", (_, key, value, replaces) => {
    const after = { ...inputs, [key]: value };
    expect(keysThatReplace([key], inputs, after)).toEqual(replaces ? [key] : []);
    expect(keysThatReplace([key], null, after)).toEqual([]);
  });
});
