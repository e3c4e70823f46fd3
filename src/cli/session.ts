import type { Diagnostic } from "../model/diagnostic.ts";
import type { OperationContext, Target } from "../operations/context.ts";
import type { Progress } from "./render/progress.ts";
import type { Terminal } from "./render/terminal.ts";

/** One run of one command: where it writes, and what its operation works with. */
export interface Session {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly context: OperationContext;
  /** What renders the events of the operation; silent under `--json`. */
  readonly progress: Progress;
  /** Says that the command changes nothing, so that Ctrl-C needs no words about what is in flight. */
  endsAnyTime(): void;
  /** Under `--json`: what the operation warned of so far. Empty otherwise, since `progress` has told it. */
  readonly warnings: readonly Diagnostic[];
  /** Writes the answer: one JSON document under `--json`, with the warnings, else the text. */
  answer(document: Readonly<Record<string, unknown>>, text: () => string): void;
}

/** Flags as the parser hands them over, in the form operations want. */
export function targetOf(flags: {
  readonly stage?: string;
  readonly config?: string;
  readonly app?: string;
  readonly home?: string;
}): Target {
  return {
    stage: flags.stage ?? null,
    config: flags.config ?? null,
    app: flags.app ?? null,
    home: flags.home ?? null,
  };
}
