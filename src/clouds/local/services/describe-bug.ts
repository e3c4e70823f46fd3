/**
 * What the server's log says about an error that is no answer to a client: with its stack, where
 * there is one.
 */
export function describeBug(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}
