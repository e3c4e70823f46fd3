import type { RecoveryClass } from "../engine/handler.ts";

/** How one type of the simulated cloud behaves. */
export interface SimulatedType {
  readonly type: string;
  readonly recovery: RecoveryClass;
  readonly data: boolean;
  /** From an accepted create or update until it is ready. */
  readonly pendingMs: number;
  /** From a create until reads find it. */
  readonly hiddenMs: number;
  /** From an accepted delete until it is gone and its name free. */
  readonly deletingMs: number;
  /** Whether its outputs can be told from its name. */
  readonly isPredictable: boolean;
  readonly stableOutputs: readonly string[];
}

const PLAIN = {
  data: false,
  pendingMs: 0,
  hiddenMs: 0,
  deletingMs: 0,
  isPredictable: false,
  stableOutputs: [],
};

/** One type of every recovery class, slow and fast, predictable and not. */
export const SIMULATED_TYPES = {
  /** Like a role or a function: named by us, its ARN known beforehand. */
  named: { ...PLAIN, type: "sim:named", recovery: "unique-name", isPredictable: true },
  /** Like a table: holds data, takes a while to make and to delete. */
  table: {
    ...PLAIN,
    type: "sim:table",
    recovery: "unique-name",
    data: true,
    pendingMs: 3_000,
    deletingMs: 2_000,
    isPredictable: true,
  },
  /** Like a parameter: a put; its `etag` changes with its contents. */
  put: { ...PLAIN, type: "sim:put", recovery: "idempotent", stableOutputs: ["id"] },
  /** Like a distribution: recognises our token. */
  token: { ...PLAIN, type: "sim:token", recovery: "token", pendingMs: 500 },
  /** Like an API: the server names it, lists show it late. */
  listed: {
    ...PLAIN,
    type: "sim:listed",
    recovery: "server-named",
    hiddenMs: 1_500,
    stableOutputs: ["id", "arn"],
  },
  /** Like an access key: its secret is told once. */
  key: { ...PLAIN, type: "sim:key", recovery: "secret-once", stableOutputs: ["id", "arn"] },
} as const satisfies Record<string, SimulatedType>;

/** How long reads of a type may miss what was just made, with a margin. */
export function windowMs(type: SimulatedType): number {
  return type.hiddenMs * 2;
}
