/** A handler as Lambda calls it. Returns a promise, or calls back. */
export type Handler = (
  event: unknown,
  context?: unknown,
  callback?: (error?: unknown, result?: unknown) => void,
) => unknown;

/**
 * Calls a handler and waits for its answer: a promise decides, without one the callback does. A value that a handler
 * returns although it takes a callback is ignored, as Lambda ignores it.
 */
export function callHandler(handler: Handler, event: unknown, context: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback = (error?: unknown, result?: unknown) => {
      if (error === null || error === undefined) resolve(result);
      else reject(error);
    };
    // A throw in here rejects the promise.
    const returned = handler(event, context, callback);
    if (isPromise(returned)) returned.then(resolve, reject);
    else if (returned !== undefined && handler.length < 3) resolve(returned);
  });
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function"
  );
}
