import type { StepAction } from "../../model/event.ts";
import type { Paint, Style } from "./style.ts";

/** How one action is told. */
export interface ActionText {
  readonly symbol: string;
  readonly paint: keyof Style;
  /** While it goes on. */
  readonly doing: string;
  /** When it is over. */
  readonly done: string;
}

/** `!` stands for what deserves a second look: a replacement, a failure. */
export const ACTIONS: Readonly<Record<StepAction, ActionText>> = {
  same: { symbol: " ", paint: "dim", doing: "checking", done: "unchanged" },
  create: { symbol: "+", paint: "green", doing: "creating", done: "created" },
  update: { symbol: "~", paint: "yellow", doing: "updating", done: "updated" },
  replace: { symbol: "!", paint: "magenta", doing: "replacing", done: "replaced" },
  delete: { symbol: "-", paint: "red", doing: "deleting", done: "deleted" },
  adopt: { symbol: "+", paint: "green", doing: "adopting", done: "adopted" },
  detach: { symbol: "~", paint: "yellow", doing: "retaining", done: "retained" },
  forget: { symbol: "~", paint: "yellow", doing: "forgetting", done: "forgotten" },
  rename: { symbol: "~", paint: "yellow", doing: "renaming", done: "renamed" },
};

export function paintOf(style: Style, action: StepAction): Paint {
  return style[ACTIONS[action].paint];
}
