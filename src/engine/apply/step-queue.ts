import type { Step } from "../../model/plan.ts";

type Standing = "waiting" | "taken" | "succeeded" | "failed" | "skipped";

/** The steps of a plan in the order in which they become free. Every operation is linear over the whole life. */
export class StepQueue {
  readonly #steps: readonly Step[];
  readonly #places = new Map<string, number>();
  readonly #standing: Standing[];
  readonly #waitingFor: number[];
  readonly #dependants: number[][];
  readonly #free: number[] = [];
  #next = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#standing = steps.map(() => "waiting");
    this.#waitingFor = steps.map((step) => step.after.length);
    this.#dependants = steps.map(() => []);
    for (const [place, step] of steps.entries()) {
      if (this.#places.has(step.id)) throw new Error(`step ${step.id} is in the plan twice`);
      this.#places.set(step.id, place);
    }
    for (const [place, step] of steps.entries()) {
      for (const id of step.after) this.#dependants[this.#placeOf(id)]?.push(place);
      if (step.after.length === 0) this.#free.push(place);
    }
  }

  /** The next step that may start, or null when none may now. */
  take(): Step | null {
    while (this.#next < this.#free.length) {
      const place = this.#free[this.#next] ?? 0;
      this.#next += 1;
      const step = this.#steps[place];
      if (step === undefined || this.#standing[place] !== "waiting") continue;
      this.#standing[place] = "taken";
      return step;
    }
    return null;
  }

  succeed(step: Step): void {
    const place = this.#placeOf(step.id);
    this.#standing[place] = "succeeded";
    for (const dependant of this.#dependants[place] ?? []) {
      const left = (this.#waitingFor[dependant] ?? 0) - 1;
      this.#waitingFor[dependant] = left;
      if (left === 0) this.#free.push(dependant);
    }
  }

  /** @returns the steps that cannot be done because of it and were not known as such before */
  fail(step: Step): readonly Step[] {
    const place = this.#placeOf(step.id);
    this.#standing[place] = "failed";
    const skipped: Step[] = [];
    const open = [...(this.#dependants[place] ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const dependant = this.#steps[next];
      if (dependant === undefined || this.#standing[next] !== "waiting") continue;
      this.#standing[next] = "skipped";
      skipped.push(dependant);
      for (const further of this.#dependants[next] ?? []) open.push(further);
    }
    return skipped;
  }

  /** The steps that were neither taken nor skipped. */
  untouched(): readonly Step[] {
    return this.#steps.filter((_, place) => this.#standing[place] === "waiting");
  }

  #placeOf(id: string): number {
    const place = this.#places.get(id);
    if (place === undefined) throw new Error(`step ${id} is not in the plan`);
    return place;
  }
}
