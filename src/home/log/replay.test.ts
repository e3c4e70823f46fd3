import { describe, expect, it } from "vitest";
import type { LogRecord } from "../../model/record.ts";
import { emptySnapshot, type Intent } from "../../model/snapshot.ts";
import { stateOf } from "../../testing/store-stage.ts";
import { Replay, replay } from "./replay.ts";

const empty = emptySnapshot("shop", "dev");

function intent(id: string, name: string, generation = 1): Intent {
  const { urn, type, component, physicalName } = stateOf(name);
  const rest = { token: "t", inputsHash: "h", dependsOn: [], at: "2026-01-01T00:00:00.000Z" };
  const base = { urn, type, name, component, physicalName, generation, ...rest };
  return { id, operation: "create", ...base };
}

function replayed(...records: LogRecord[]) {
  return replay(empty, [{ slot: 1, records }]);
}

describe("replaying records", () => {
  it("keeps resources by urn, then generation", () => {
    const { resources } = replayed(
      { kind: "resource", state: { ...stateOf("B"), generation: 2 } },
      { kind: "resource", state: stateOf("B") },
      { kind: "resource", state: stateOf("A") },
    );
    expect(resources.map(({ name, generation }) => `${name}${generation}`)).toEqual([
      "A1",
      "B1",
      "B2",
    ]);
  });

  it("takes what an outcome says: what exists now, that nothing exists, or that nothing changed", () => {
    const begun: LogRecord[] = [
      { kind: "resource", state: stateOf("A") },
      { kind: "intent", intent: intent("1.1", "A") },
    ];
    const changed = { ...stateOf("A"), outputs: { arn: "other" } };
    const exists = replayed(...begun, { kind: "outcome", intent: "1.1", state: changed });
    expect(exists.resources).toEqual([changed]);
    expect(replayed(...begun, { kind: "outcome", intent: "1.1", state: null }).resources).toEqual(
      [],
    );
    const failed = replayed(...begun, { kind: "outcome", intent: "1.1" });
    expect(failed.resources).toEqual([stateOf("A")]);
    expect(failed.openIntents).toEqual([]);
    expect(replayed(...begun).openIntents.map(({ id }) => id)).toEqual(["1.1"]);
  });

  it("forgets exactly one generation", () => {
    const { resources } = replayed(
      { kind: "resource", state: stateOf("A") },
      { kind: "resource", state: { ...stateOf("A"), generation: 2 } },
      { kind: "forget", urn: stateOf("A").urn, generation: 1 },
    );
    expect(resources.map(({ generation }) => generation)).toEqual([2]);
  });

  it("refuses an outcome of nothing and an intent begun twice", () => {
    const begun: LogRecord = { kind: "intent", intent: intent("1.1", "A") };
    expect(() => replayed({ kind: "outcome", intent: "1.1" })).toThrow("not open");
    expect(() => replayed(begun, begun)).toThrow("begun twice");
  });

  it("leaves the snapshot that it began with as it was", () => {
    const base = replayed({ kind: "resource", state: stateOf("A") });
    const text = JSON.stringify(base);
    const state = new Replay(base);
    state.apply(2, [{ kind: "resource", state: stateOf("B") }]);
    expect(state.snapshot().resources).toHaveLength(2);
    expect(JSON.stringify(base)).toBe(text);
  });

  it("does not touch resources for records that say nothing of them", () => {
    const base = replayed({ kind: "resource", state: stateOf("A") });
    const ended = replay(base, [
      { slot: 2, records: [{ kind: "beat", at: "2026-01-01T00:00:00.000Z" }] },
    ]);
    expect(ended.resources).toBe(base.resources);
    expect(ended.serial).toBe(2);
  });

  it("comes to the same whether replayed at once or from any snapshot in between", () => {
    const frames = Array.from({ length: 30 }, (_, index) => ({
      slot: index + 1,
      records: [
        { kind: "intent", intent: intent(`1.${index}`, `R${index % 7}`) },
        index % 3 === 0
          ? { kind: "outcome", intent: `1.${index}`, state: null }
          : { kind: "outcome", intent: `1.${index}`, state: stateOf(`R${index % 7}`) },
      ] satisfies LogRecord[],
    }));
    const atOnce = replay(empty, frames);
    for (let cut = 0; cut <= frames.length; cut += 1) {
      const middle = JSON.parse(JSON.stringify(replay(empty, frames.slice(0, cut))));
      expect(replay(middle, frames.slice(cut))).toEqual(atOnce);
    }
  });
});
