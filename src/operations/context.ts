import type { Emit } from "../model/event.ts";
import type { Clock, Random } from "../model/world.ts";

/** What every operation is given by its front door. Operations print nothing and ask nothing by themselves. */
export interface OperationContext {
  /** Where the command was started; the config is looked for from here upward. */
  readonly cwd: string;
  /** The process environment as it was at the start, before any `.env` file. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  /** Version of this tool, recorded in state. */
  readonly version: string;
  readonly emit: Emit;
  /** Aborted by the first Ctrl-C: nothing new is started, what is in flight is finished and recorded. */
  readonly signal: AbortSignal;
  /**
   * Asks the user; null where there is nobody to ask (not a terminal, `--json`), then the operation refuses
   * or goes on as its documentation says.
   */
  readonly ask: ((question: Question) => Promise<string>) | null;
}

/** A question on the terminal. The answer is the line typed, without its end. */
export interface Question {
  readonly text: string;
  /** Typed characters are not shown. */
  readonly hidden: boolean;
}

/** The flags by which a command says which stage it is about. */
export interface Target {
  readonly stage: string | null;
  readonly config: string | null;
  readonly app: string | null;
  readonly home: string | null;
}
