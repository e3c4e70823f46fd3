import type { ResourceGoal } from "../model/resource.ts";
import { type Urn, urnOf } from "../model/urn.ts";
import { Computed, Ref, Sensitive, type Value, type ValueObject } from "../model/value.ts";
import { SIMULATED_TYPES } from "./simulated-types.ts";

/** Stands in every secret of the simulation; nothing but the cloud may ever hold it. */
export const SENTINEL = "SENTINEL_5f1c";

export type SimulatedTypeName = keyof typeof SIMULATED_TYPES;

/** One resource as tests write it. */
export interface GoalSketch {
  readonly type: SimulatedTypeName;
  readonly name: string;
  /** A change updates. */
  readonly size?: Value;
  /** A change replaces. */
  readonly kind?: Value;
  /** Names of the resources whose ids it holds. */
  readonly uses?: readonly string[];
  readonly also?: ValueObject;
  readonly aliases?: readonly string[];
  readonly dependsOn?: readonly Urn[];
  readonly component?: string;
}

/** The urn of a simulated resource. */
export function simulatedUrn(type: SimulatedTypeName, name: string): Urn {
  return urnOf(SIMULATED_TYPES[type].type, name);
}

/** Goals from sketches; `uses` refers to other sketches by name. */
export function simulatedGoals(sketches: readonly GoalSketch[]): readonly ResourceGoal[] {
  const urns = new Map(sketches.map(({ type, name }) => [name, simulatedUrn(type, name)]));
  return sketches.map((sketch) => {
    const { type, name, size = 1, kind = "a", uses = [], also = {}, aliases = [] } = sketch;
    const ids = uses.map((used) => {
      const urn = urns.get(used);
      if (urn === undefined) throw new Error(`no sketch is called ${used}`);
      return new Ref(urn, "id");
    });
    return {
      urn: simulatedUrn(type, name),
      type: SIMULATED_TYPES[type].type,
      name,
      component: sketch.component ?? name,
      inputs: { size, kind, uses: ids, ...also },
      dependsOn: sketch.dependsOn ?? [],
      aliases: aliases.map((alias) => simulatedUrn(type, alias)),
    };
  });
}

/** Which of the versions of the simulated app: as first deployed, with updates, with replacements, with less. */
export type AppVersion = "first" | "updated" | "replaced" | "reduced";

/** Ten resources of every recovery class, two of them fed by a secret. */
export function simulatedApp(version: AppVersion): readonly ResourceGoal[] {
  const size = version === "updated" ? 2 : 1;
  const kind = version === "replaced" ? "b" : "a";
  const etag = new Ref(simulatedUrn("put", "Settings"), "etag");
  const secret = new Sensitive(`${SENTINEL}-${size}`);
  const shouted = new Computed([secret, etag], ([text, tag]) => `${text}!${tag}`);
  const kept: readonly GoalSketch[] = [
    { type: "named", name: "Role", kind },
    { type: "listed", name: "Pool", size, kind, uses: ["Role"] },
    { type: "token", name: "Front", uses: ["Pool"] },
    { type: "put", name: "Settings", size, uses: ["Role"] },
    { type: "key", name: "Key", kind, uses: ["Role"] },
    { type: "named", name: "First", uses: ["Role", "Settings"], also: { etag, secret } },
    { type: "listed", name: "Route", uses: ["Pool", "First"] },
  ];
  const dropped: readonly GoalSketch[] = [
    { type: "table", name: "Notes", uses: ["Role"] },
    { type: "named", name: "Second", size, uses: ["Key", "Notes"], also: { secret: shouted } },
    { type: "put", name: "Rule", kind, uses: ["Second"] },
  ];
  return simulatedGoals(version === "reduced" ? kept : [...kept, ...dropped]);
}

/** Three resources in a row, for what is tried in all pairs. */
export function smallApp(version: AppVersion): readonly ResourceGoal[] {
  const size = version === "updated" ? 2 : 1;
  const kind = version === "replaced" ? "b" : "a";
  const sketches: readonly GoalSketch[] = [
    { type: "named", name: "Role", kind },
    { type: "listed", name: "Pool", size, kind, uses: ["Role"] },
    { type: "put", name: "Settings", size, uses: ["Pool"] },
  ];
  return simulatedGoals(version === "reduced" ? sketches.slice(0, 1) : sketches);
}
