import type { Removal } from "../../model/snapshot.ts";

/** What a plan may do to what exists. */
export interface Policy {
  readonly mode: "deploy" | "remove";
  /** Of the current config; the recorded one where there is no config. */
  readonly removal: Removal;
  /** Of the current config. A stage that its state says is protected counts as protected too. */
  readonly protect: boolean;
  /** Components whose data a deploy may destroy although it is guarded. */
  readonly allowDestroy: ReadonlySet<string>;
  /** Whether a deploy of nothing over a stage that has something is meant. */
  readonly allowEmpty: boolean;
}
