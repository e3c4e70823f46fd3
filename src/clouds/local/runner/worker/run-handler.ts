import { isError, type LambdaContext, lambdaContext } from "./lambda-context.ts";
import type { Handler } from "./load-handler.ts";
import type { InstanceSettings, ToInstance } from "./messages.ts";

export interface HandlerRun {
  readonly handler: Handler;
  readonly settings: InstanceSettings;
  readonly invocation: ToInstance;
  /** Calls back once, when nothing is left that could still happen in this thread. */
  whenLoopIsEmpty(callback: () => void): void;
  warn(message: string): void;
}

/**
 * Calls a handler the way Lambda's runtime does: a promise decides; without one the callback does, and its result
 * waits until the event loop is empty unless the handler says otherwise. A handler that does neither, or a promise
 * that nothing can settle any more, ends with null.
 */
export function runHandler(run: HandlerRun): Promise<unknown> {
  return new Promise((succeed, fail) => {
    const context = lambdaContext(run.settings, run.invocation, { succeed, fail });
    run.whenLoopIsEmpty(() => succeed(null));
    const callback = (error?: unknown, result?: unknown) => {
      if (isError(error)) fail(error);
      else endWith(result, context, run, succeed);
    };
    // A throw in here rejects the promise, as a rejection of the handler does.
    const returned = run.handler(JSON.parse(run.invocation.event), context, callback);
    if (isPromise(returned)) returned.then(succeed, fail);
    else if (returned !== undefined) run.warn(IGNORED);
  });
}

const IGNORED =
  "The handler returned a value that is no promise, and Lambda ignores such values. " +
  "Make the handler async.";

function endWith(
  result: unknown,
  context: LambdaContext,
  run: HandlerRun,
  succeed: (result: unknown) => void,
): void {
  if (context.callbackWaitsForEmptyEventLoop) run.whenLoopIsEmpty(() => succeed(result));
  else succeed(result);
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function"
  );
}
