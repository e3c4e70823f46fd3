import { tooManyRequests } from "../cognito-error.ts";

/** Who would wait behind so many others is refused. */
const WAITING_MAX = 32;

interface Queue {
  last: Promise<void>;
  length: number;
}

/** Does work for one subject at a time, so that nobody guesses faster by guessing all at once. */
export class Turns {
  readonly #queues = new Map<string, Queue>();

  /** @throws CognitoError `TooManyRequestsException`, besides what `work` throws */
  async take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(subject) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length >= WAITING_MAX) throw tooManyRequests();
    const result = queue.last.then(work);
    queue.length += 1;
    queue.last = result.then(
      () => undefined,
      () => undefined,
    );
    this.#queues.set(subject, queue);
    try {
      return await result;
    } finally {
      queue.length -= 1;
      if (queue.length === 0) this.#queues.delete(subject);
    }
  }
}
