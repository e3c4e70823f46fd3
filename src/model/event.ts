import type { Diagnostic } from "./diagnostic.ts";
import type { PlanSummary } from "./plan.ts";
import type { Urn } from "./urn.ts";

export type StepAction =
  | "same"
  | "create"
  | "update"
  | "replace"
  | "delete"
  | "adopt"
  | "detach"
  | "forget"
  | "rename";

/** What an operation tells while it works. Every front door renders this stream and nothing else. */
export type EngineEvent =
  | {
      readonly kind: "header";
      readonly app: string;
      readonly stage: string;
      /** Which level decided the stage, in words: `--stage`, `SCRIM_STAGE`, `.env`, `your username`. */
      readonly stageSource: string;
      readonly cloud: string;
      readonly account: string;
      readonly region: string;
      /** The stage does not exist yet and this command would make it. */
      readonly creating: boolean;
    }
  | { readonly kind: "planned"; readonly summary: PlanSummary }
  | {
      readonly kind: "step-started";
      readonly urn: Urn;
      readonly component: string;
      readonly name: string;
      readonly type: string;
      readonly action: StepAction;
    }
  | {
      readonly kind: "step-waiting";
      readonly urn: Urn;
      readonly reason: string;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: "step-done";
      readonly urn: Urn;
      readonly component: string;
      readonly name: string;
      readonly type: string;
      readonly action: StepAction;
      readonly elapsedMs: number;
    }
  | {
      readonly kind: "step-failed";
      readonly urn: Urn;
      readonly component: string;
      readonly name: string;
      readonly type: string;
      readonly action: StepAction;
      readonly diagnostic: Diagnostic;
    }
  | {
      readonly kind: "step-skipped";
      readonly urn: Urn;
      readonly component: string;
      readonly name: string;
      readonly type: string;
      readonly action: StepAction;
      readonly because: Urn;
    }
  | {
      readonly kind: "settled";
      readonly urn: Urn;
      readonly result: "live" | "void" | "gone" | "foreign";
    }
  | { readonly kind: "progress"; readonly phase: string; readonly message: string }
  | { readonly kind: "diagnostic"; readonly diagnostic: Diagnostic };

/** Receives events; must not throw. */
export type Emit = (event: EngineEvent) => void;
