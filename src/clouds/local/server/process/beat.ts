import type { Log } from "../resources/stage-dependencies.ts";

/**
 * Does something again and again, never twice at the same time, until it is ended. A failure is
 * logged, once for each message in a row, and tried again at the next beat.
 *
 * @returns ends it; resolves when nothing is under way any more
 */
export function startBeating(
  everyMs: number,
  work: () => Promise<void>,
  log: Log,
): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  let lastFailure = "";
  const once = async () => {
    try {
      await work();
      lastFailure = "";
    } catch (error) {
      const failure = String(error);
      if (failure !== lastFailure) log(failure);
      lastFailure = failure;
    }
    underWay = null;
  };
  const timer = setInterval(() => {
    underWay ??= once();
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
