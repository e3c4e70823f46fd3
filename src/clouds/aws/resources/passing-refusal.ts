import type { Retry } from "../../../engine/handler.ts";
import { classify } from "../client/classify.ts";

/** A refusal that is known to pass, by the error's name and text. */
interface PassingRefusal {
  readonly names: readonly string[];
  readonly text?: RegExp;
  readonly reason: string;
  readonly afterMs: number;
  readonly lastsMs: number;
}

/**
 * IAM tells other services of a new role within seconds, rarely within a minute; until then they refuse it in words
 * of their own. github.com/hashicorp/terraform-provider-aws collects them (internal/service/lambda/function.go).
 */
const PROPAGATION_MS = 3 * 60_000;
/** How long an update of a function or an operation on a table may take at most, generously. */
const BUSY_MS = 15 * 60_000;

const PASSING: readonly PassingRefusal[] = [
  {
    names: ["InvalidParameterValueException"],
    text: /cannot be assumed by Lambda|execution role does not have permissions|KMS key is invalid|not refer to a valid principal/i,
    reason: "its role is new and not known everywhere yet",
    afterMs: 1_500,
    lastsMs: PROPAGATION_MS,
  },
  {
    names: ["ResourceConflictException"],
    text: /in progress|cannot be performed at this time|following state: Pending/i,
    reason: "another change of it is under way",
    afterMs: 1_000,
    lastsMs: BUSY_MS,
  },
  {
    names: [
      ...["ConcurrentModification", "ConcurrentModificationException"],
      ...["EntityTemporarilyUnmodifiable", "OperationAborted", "OperationAbortedException"],
      "PreconditionFailedException",
    ],
    reason: "another change of it is under way",
    afterMs: 1_000,
    lastsMs: 2 * 60_000,
  },
  {
    names: ["ConflictException"],
    text: /concurrent|in progress|try again|in use|referenced/i,
    reason: "another change of its API is under way",
    afterMs: 1_000,
    lastsMs: 60_000,
  },
  {
    names: ["ResourceInUseException", "LimitExceededException"],
    text: /being (created|updated|deleted)|is in use|simultaneous|concurrent/i,
    reason: "another change of it is under way",
    afterMs: 2_000,
    lastsMs: BUSY_MS,
  },
];

const THROTTLED: Retry = {
  kind: "retry",
  reason: "the account's rate of calls is used up",
  afterMs: 1_000,
  lastsMs: 5 * 60_000,
};

/** The retry that an error calls for; null when waiting does not help, or nobody knows. */
export function passingRefusal(error: unknown): Retry | null {
  if (classify(error) === "throttled") return THROTTLED;
  if (!(error instanceof Error)) return null;
  const found = PASSING.find(
    ({ names, text }) => names.includes(error.name) && (text?.test(error.message) ?? true),
  );
  if (found === undefined) return null;
  const { reason, afterMs, lastsMs } = found;
  return { kind: "retry", reason, afterMs, lastsMs };
}
