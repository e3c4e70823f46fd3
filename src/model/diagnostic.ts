/** What a command ends with; the table in docs/reference/exit-codes.md says when. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  locked: 3,
  credentials: 4,
  guarded: 5,
  home: 6,
  partly: 7,
  changes: 10,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A problem told to the user: what happened, why, what to do next. Never holds a secret. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** Stable, upper-case with underscores, for example `STAGE_NAME_INVALID`; listed in docs/diagnostics.md. */
  readonly code: string;
  /** What happened, one sentence without a final period. */
  readonly message: string;
  /** Why, in full sentences. */
  readonly why?: string;
  /** What to do next. */
  readonly hint?: string;
  readonly source?: SourceLocation;
  readonly exit: ExitCode;
}

/** A place in a file of the user's, as an editor understands it: line and column start at 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** Thrown for every problem that is the user's to solve; anything else that is thrown is a bug of ours. */
export class DiagnosticError extends Error {
  override readonly name = "DiagnosticError";
  readonly diagnostics: readonly [Diagnostic, ...Diagnostic[]];

  constructor(first: Diagnostic, ...more: Diagnostic[]) {
    super(first.message);
    this.diagnostics = [first, ...more];
  }

  /** The exit code of the first problem, which is the one the command ends with. */
  get exit(): ExitCode {
    return this.diagnostics[0].exit;
  }
}

/** Builds the error for one problem; `exit` defaults to a usage error (2). */
export function fail(
  code: string,
  message: string,
  rest: Partial<Omit<Diagnostic, "code" | "message">> = {},
): DiagnosticError {
  return new DiagnosticError({ severity: "error", exit: EXIT.usage, ...rest, code, message });
}
