#!/usr/bin/env node
// Bundled as CommonJS, as all of the command line: every Node.js can read it, also one that is told that it is too old,
// and the loader of ES modules takes longer to start than most commands take to answer.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BundledProgram } from "./bundled-program.ts";
import { version } from "./version.ts";

const MINIMUM_NODE = [20, 19] as const;

/** The answer to `scrim --help`, made by the build. */
const HELP_FILE = join(__dirname, "help.txt");

function nodeIsTooOld(found: string): boolean {
  const [major = 0, minor = 0] = found.split(".").map(Number);
  return major < MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor < MINIMUM_NODE[1]);
}

/** What a command line is answered with that needs nothing of the tool; else null. */
function preparedAnswer([word, ...others]: readonly string[]): string | null {
  if (others.length > 0) return null;
  if (word === "--version" || word === "-v") return `${version}\n`;
  if (word !== "--help" && word !== "-h") return null;
  try {
    return readFileSync(HELP_FILE, "utf8");
  } catch {
    return null;
  }
}

/** Ends the process when all is written: timers that a config left running must not keep the command alive. */
function leave(exitCode: number): void {
  process.exitCode = exitCode;
  process.stdout.write("", () => process.stderr.write("", () => process.exit()));
}

/** Reading all of the tool takes half of the time of a command that only looks at the home, so that one is apart. */
function programOf([first, second]: readonly string[]): BundledProgram {
  const file = first === "state" && second === "list" ? "./state-list.js" : "./program.js";
  return require(file) as BundledProgram;
}

function main(args: readonly string[]): void {
  if (nodeIsTooOld(process.versions.node)) {
    process.stderr.write(
      `Error: Scrim needs Node.js ${MINIMUM_NODE.join(".")} or newer; this is ${process.versions.node}.\n` +
        "Fix: Install a newer Node.js, for example the current LTS.\n",
    );
    process.exitCode = 2;
    return;
  }
  const answer = preparedAnswer(args);
  if (answer !== null) {
    // A reader that went away, as in `scrim --help | head -1`, is no failure.
    process.stdout.on("error", () => undefined);
    process.stdout.write(answer);
    return;
  }
  // Until the command has answered: a process that ends without it is no success.
  process.exitCode = 1;
  void programOf(args).runProgram(args).then(leave);
}

main(process.argv.slice(2));
