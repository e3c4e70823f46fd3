/** Runs a call of the SDK and aborts it after `timeoutMs`; it then rejects with an error named `TimeoutError`. */
export async function withinTime<T>(
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const late = new Error(`no answer within ${timeoutMs} ms`);
  late.name = "TimeoutError";
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  try {
    return await call(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? late : error;
  } finally {
    clearTimeout(timer);
  }
}
