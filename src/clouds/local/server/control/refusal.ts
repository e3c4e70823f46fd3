import { DiagnosticError } from "../../../../model/diagnostic.ts";
import type { Json } from "../../../../model/json.ts";
import type { ControlError } from "../../control-api.ts";

/**
 * A request that is answered with a status other than success. Anything else thrown is a bug and
 * answered 500.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly body: ControlError;

  constructor(status: number, code: string, message: string, rest: RefusalRest = {}) {
    super(message);
    this.status = status;
    this.body = { code, message, ...rest };
  }
}

interface RefusalRest {
  readonly hint?: string;
  readonly detail?: Json;
}

/** The answer to a request that failed with this error, or null for a bug. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof DiagnosticError)) return null;
  const { code, message, why, hint } = error.diagnostics[0];
  const whole = why === undefined ? message : `${message}. ${why}`;
  return new Refusal(409, code, whole, hint === undefined ? {} : { hint });
}
