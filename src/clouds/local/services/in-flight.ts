/** Counts work that is under way, so that closing can wait for it. */
export class InFlight {
  readonly #work = new Set<Promise<void>>();

  /** Runs `work`, which must not reject, and remembers it until it is done. */
  async track(work: Promise<void>): Promise<void> {
    this.#work.add(work);
    try {
      await work;
    } finally {
      this.#work.delete(work);
    }
  }

  /** Resolves when nothing is under way any more, at the latest after `timeoutMs`. */
  async drained(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.allSettled(this.#work), timeout]);
    clearTimeout(timer);
  }
}
