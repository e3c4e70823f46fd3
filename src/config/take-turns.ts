let last: Promise<unknown> = Promise.resolve();

/** Runs bodies one after the other: a config's globals and environment are those of the process. */
export function takeTurns<T>(body: () => Promise<T>): Promise<T> {
  const turn = last.then(body);
  // The next one starts whether this one succeeds or fails; its own caller is told.
  last = turn.catch(() => undefined);
  return turn;
}
