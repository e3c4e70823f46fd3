/**
 * Whether a suite that needs something optional may run. What is missing is skipped with a line that says so, or, with
 * `SCRIM_TEST_REQUIRE=all`, is a failure.
 */
export function available(what: string, present: boolean): boolean {
  if (present) return true;
  if (process.env["SCRIM_TEST_REQUIRE"] === "all") {
    throw new Error(`${what} is missing, and SCRIM_TEST_REQUIRE=all forbids to skip what needs it`);
  }
  process.stderr.write(`skipped: ${what} is missing (npm run test:setup)\n`);
  return false;
}

/** Whether a suite may run that needs a right which nothing can give this machine; its lack is told, and no failure. */
export function allowed(what: string, isAllowed: boolean): boolean {
  if (!isAllowed) process.stderr.write(`skipped: ${what} is not allowed here\n`);
  return isAllowed;
}

/** Whether everything is to be tried that is otherwise sampled. */
export const exhaustive: boolean = process.env["SCRIM_TEST_REQUIRE"] === "all";
