export interface LingeringOptions {
  /** Never leave. */
  readonly stay: boolean;
  readonly lingerMs: number;
  /** How many stages there are. */
  stages(): number;
  /** How many resources they have together. */
  resources(): number;
  leave(why: string): void;
}

/**
 * Decides when a server with nothing to serve leaves: at once after its last stage, else after a
 * while of silence.
 */
export interface Lingering {
  /** Something is under way; the function that it returns says that it is over. */
  begin(): () => void;
  stop(): void;
}

export function createLingering(options: LingeringOptions): Lingering {
  let underWay = 0;
  let timer: NodeJS.Timeout | null = null;
  let stagesBefore = 0;

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function begin(): () => void {
    stop();
    underWay += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      underWay -= 1;
      if (underWay === 0 && !options.stay) consider();
    };
  }

  function consider(): void {
    const before = stagesBefore;
    stagesBefore = options.stages();
    if (stagesBefore === 0 && before > 0) options.leave("the last stage was removed");
    else if (options.resources() === 0) {
      timer = setTimeout(() => options.leave("there is nothing to serve"), options.lingerMs);
    }
  }

  return { begin, stop };
}
