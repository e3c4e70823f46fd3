#!/usr/bin/env node
import { runCli } from "./application.ts";

const MINIMUM_NODE = [20, 19] as const;

/** Node's own version is checked before anything of ours is used that an older one would not know. */
function nodeIsTooOld(found: string): boolean {
  const [major = 0, minor = 0] = found.split(".").map(Number);
  return major < MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor < MINIMUM_NODE[1]);
}

if (nodeIsTooOld(process.versions.node)) {
  process.stderr.write(
    `Error: Scrim needs Node.js ${MINIMUM_NODE.join(".")} or newer; this is ${process.versions.node}.\n` +
      "Fix: Install a newer Node.js, for example the current LTS.\n",
  );
  process.exitCode = 2;
} else {
  leave(await runCli(process.argv.slice(2)));
}

/** Ends the process when all is written: timers that a config left running must not keep the command alive. */
function leave(exitCode: number): void {
  process.exitCode = exitCode;
  process.stdout.write("", () => process.stderr.write("", () => process.exit()));
}
