import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../model/diagnostic.ts";
import type { ResourceGoal } from "../../model/resource.ts";
import { type Urn, urnOf } from "../../model/urn.ts";
import { Computed, Ref, type Value } from "../../model/value.ts";
import { buildGraph } from "./graph.ts";

const urn = (name: string): Urn => urnOf("t", name);

function goal(
  name: string,
  inputs: Record<string, Value> = {},
  dependsOn: string[] = [],
): ResourceGoal {
  return {
    urn: urn(name),
    type: "t",
    name,
    component: name,
    inputs,
    dependsOn: dependsOn.map(urn),
    aliases: [],
  };
}

const ref = (name: string): Ref => new Ref(urn(name), "id");

function codesOf(goals: readonly ResourceGoal[]): readonly string[] {
  try {
    buildGraph(goals);
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map(({ code }) => code);
  }
}

describe("buildGraph", () => {
  it("finds refs in lists, objects and the inputs of callbacks", () => {
    const computed = new Computed([ref("C"), [ref("D")]], () => "x");
    const { dependencies } = buildGraph([
      goal("A", { list: [{ deep: ref("B") }], computed }, ["E"]),
      ...["B", "C", "D", "E"].map((name) => goal(name)),
    ]);
    expect(dependencies.get(urn("A"))).toEqual(["B", "C", "D", "E"].map(urn));
  });

  it("puts every goal behind what it depends on, whatever the order in the config", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 }), (rows) => {
        const goals = rows.map((uses, place) =>
          goal(`N${place}`, {
            uses: uses.filter((used) => used < place).map((used) => ref(`N${used}`)),
          }),
        );
        const { order, dependencies } = buildGraph([...goals].reverse());
        const places = new Map(order.map((name, place) => [name, place]));
        for (const [name, used] of dependencies) {
          for (const one of used) expect(places.get(one)).toBeLessThan(places.get(name) ?? -1);
        }
        expect(order).toHaveLength(goals.length);
      }),
    );
  });

  it("prints a cycle from its first resource back to it", () => {
    const goals = [goal("A", {}, ["B"]), goal("B", { c: ref("C") }), goal("C", {}, ["A"])];
    expect(() => buildGraph(goals)).toThrow(/t::A -> t::B -> t::C -> t::A/);
    expect(codesOf(goals)).toEqual(["DEPENDENCY_CYCLE"]);
  });

  it("takes a resource that depends on itself for a cycle", () => {
    expect(() => buildGraph([goal("A", { me: ref("A") })])).toThrow(/t::A -> t::A/);
  });

  it("tells all problems at once", () => {
    const goals = [goal("A"), goal("A"), goal("B", {}, ["Gone"])];
    expect(codesOf(goals)).toEqual(["RESOURCE_DUPLICATE", "REFERENCE_UNKNOWN"]);
  });

  it("orders a chain that is far longer than a call stack is deep", () => {
    const chain = Array.from({ length: 50_000 }, (_, place) =>
      goal(`N${place}`, place === 0 ? {} : { before: ref(`N${place - 1}`) }),
    );
    expect(buildGraph(chain.reverse()).order[0]).toBe(urn("N0"));
  });
});
