/** What the bundles beside the one that starts export. */
export interface BundledProgram {
  /** Runs a command line; returns the exit code. */
  runProgram(args: readonly string[]): Promise<number>;
}
