import type { ResourceGoal } from "../../src/model/resource.ts";
import type { Removal } from "../../src/model/snapshot.ts";
import { Computed, Sensitive } from "../../src/model/value.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import {
  type GoalSketch,
  SENTINEL,
  type SimulatedTypeName,
  simulatedGoals,
} from "../../src/testing/simulated-app.ts";
import type { Effect, Fault } from "../../src/testing/simulated-process.ts";
import { SIMULATED_TYPES } from "../../src/testing/simulated-types.ts";

const TYPES = Object.keys(SIMULATED_TYPES) as readonly SimulatedTypeName[];
const REMOVALS: readonly Removal[] = ["remove", "retain", "retain-all"];
const FAULTS: Readonly<Record<"put" | "cloud", readonly Fault[]>> = {
  put: ["crash-before", "crash-after-apply", "crash-after-response", "lost-response", "disk-full"],
  cloud: [
    "crash-before",
    "crash-after-apply",
    "crash-after-response",
    "lost-response",
    "error-after-apply",
    "error-before",
    "throttle",
    "hang",
  ],
};

/** What stays the same about a stage in all versions of its app. */
export interface RandomStage {
  readonly removal: Removal;
  /** The type of each resource that the app may have, by position. */
  readonly types: readonly SimulatedTypeName[];
}

export function randomStage(random: SeededRandom): RandomStage {
  const types = Array.from({ length: 3 + random.below(5) }, () => random.pick(TYPES));
  return { removal: random.chance(0.5) ? "remove" : random.pick(REMOVALS), types };
}

/** One version of the app: some of its resources, some of them renamed, resized, replaced or using each other. */
export function randomApp(random: SeededRandom, stage: RandomStage): readonly ResourceGoal[] {
  const sketches: GoalSketch[] = [];
  for (const [place, type] of stage.types.entries()) {
    if (place > 0 && random.chance(0.25)) continue;
    const uses = sketches.map(({ name }) => name).filter(() => random.chance(0.4));
    const names = [`N${place}`, `R${place}`];
    const name = random.chance(0.15) ? names[1] : names[0];
    const size = 1 + random.below(2);
    const mayReplace = stage.removal === "remove" || !SIMULATED_TYPES[type].data;
    const kind = mayReplace && random.chance(0.2) ? "b" : "a";
    const also = random.chance(0.3) ? { secret: secretOf(size) } : {};
    sketches.push({ type, name: name ?? "", aliases: names, uses, size, kind, also });
  }
  return simulatedGoals(sketches.map(withoutOwnName));
}

function withoutOwnName(sketch: GoalSketch): GoalSketch {
  return { ...sketch, aliases: sketch.aliases?.filter((alias) => alias !== sketch.name) ?? [] };
}

function secretOf(size: number): Computed {
  const secret = new Sensitive(`${SENTINEL}-${size}`);
  return new Computed([secret], ([text]) => ({ header: `Bearer ${text}` }));
}

/** Faults here and there: most runs of a job meet one or two. */
export function randomFaults(random: SeededRandom, rate: number): (effect: Effect) => Fault | null {
  return ({ kind }) => {
    if (kind === "get" || kind === "list" || !random.chance(rate)) return null;
    return random.pick(kind === "put" ? FAULTS.put : FAULTS.cloud);
  };
}
