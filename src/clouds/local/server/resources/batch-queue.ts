/** Runs work in batches: what is asked for while a batch is under way goes into the next one. */
export interface BatchQueue<Work> {
  /** Resolves or rejects as the batch runner settles this piece of work. */
  add(work: Work): Promise<void>;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
}

/** One piece of work in a batch; exactly one of the two is called. */
export interface Queued<Work> {
  readonly work: Work;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * @param keyOf two pieces of work of one key never share a batch; null for what conflicts with
 * nothing
 * @param run must settle every piece of its batch and must not reject
 */
export function createBatchQueue<Work>(
  keyOf: (work: Work) => string | null,
  run: (batch: readonly Queued<Work>[]) => Promise<void>,
): BatchQueue<Work> {
  let queue: readonly Queued<Work>[] = [];
  let working: Promise<void> | null = null;

  async function drain(): Promise<void> {
    // Requests that came in the same moment go into one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const size = batchSize(queue.map(({ work }) => keyOf(work)));
      const batch = queue.slice(0, size);
      queue = queue.slice(size);
      await run(batch);
    }
    working = null;
  }

  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        queue = [...queue, { work, done: resolve, failed: reject }];
        working ??= drain();
      }),
    settle: async () => {
      while (working !== null) await working;
    },
  };
}

/** How many from the front have keys that differ. */
function batchSize(keys: readonly (string | null)[]): number {
  const seen = new Set<string>();
  const repeated = keys.findIndex((key) => key !== null && seen.size === seen.add(key).size);
  return repeated === -1 ? keys.length : repeated;
}
