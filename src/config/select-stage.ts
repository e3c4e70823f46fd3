import { userInfo } from "node:os";
import { type Diagnostic, EXIT, fail } from "../model/diagnostic.ts";
import { parseStageName, type StageName } from "../model/stage-name.ts";
import type { ProcessEnv } from "./env-files.ts";
import type { ParsedEnv } from "./parse-env.ts";

/** What decided which stage a command works on. */
export type StageSource = "--stage" | "SCRIM_STAGE" | ".env" | "username";

export interface SelectedStage {
  readonly name: StageName;
  readonly source: StageSource;
  readonly warnings: readonly Diagnostic[];
}

export interface StageChoices {
  /** The value of `--stage`; null when it was not given. */
  readonly flag: string | null;
  readonly processEnv: ProcessEnv;
  /** The parsed `.env` of the project; null when there is none. */
  readonly envFile: ParsedEnv | null;
  /** Who runs the command; replaced by tests. May throw. */
  readonly username?: () => string;
}

/** Names that many people share, so that a stage named after them is nobody's own. */
const GENERIC = new Set([
  "admin",
  "administrator",
  "build",
  "ci",
  "docker",
  "ec2-user",
  "jenkins",
  "node",
  "nobody",
  "root",
  "runner",
  "ubuntu",
  "user",
  "vscode",
]);

/**
 * Which stage a command works on: `--stage`, then `SCRIM_STAGE` of the environment, then of `.env`, then the username.
 *
 * @throws DiagnosticError `STAGE_EMPTY`, `STAGE_NAME_INVALID`, `STAGE_USERNAME_UNUSABLE` (exit 2)
 */
export function selectStage(choices: StageChoices): SelectedStage {
  if (choices.flag !== null) return explicit(choices.flag, "--stage", "--stage");
  const fromEnv = choices.processEnv["SCRIM_STAGE"];
  if (fromEnv !== undefined) return explicit(fromEnv, "SCRIM_STAGE", "SCRIM_STAGE");
  const fromFile = choices.envFile?.entries.get("SCRIM_STAGE");
  if (fromFile !== undefined) return explicit(fromFile.value, ".env", "SCRIM_STAGE in .env");
  return fromUsername(choices);
}

function explicit(text: string, source: StageSource, from: string): SelectedStage {
  if (text === "") {
    throw fail("STAGE_EMPTY", `${from} is empty`, {
      why: "An empty stage is nearly always a variable that was not set; guessing another stage would be dangerous.",
      hint: "Give it a name, or leave it out.",
    });
  }
  return { name: parseStageName(text, from), source, warnings: [] };
}

function fromUsername({
  username = () => userInfo().username,
  processEnv,
}: StageChoices): SelectedStage {
  const raw = readUsername(username);
  const name = raw === null ? "" : sanitize(raw);
  if (name === "") throw unusable(raw);
  const warnings: Diagnostic[] = [];
  const ci = processEnv["CI"] ?? "";
  if (ci !== "" && ci !== "false" && ci !== "0") {
    warnings.push(warning(name, "This looks like a CI job, where the username names nobody."));
  } else if (GENERIC.has(name.toLowerCase())) {
    warnings.push(warning(name, "Many people share this username, and so would share the stage."));
  }
  return { name: parseStageName(name, "the username"), source: "username", warnings };
}

function readUsername(username: () => string): string | null {
  try {
    return username();
  } catch {
    // A container may run under a user id that has no entry in its passwd file.
    return null;
  }
}

/**
 * A username as a stage name: letters keep their case and lose their accents, every other run of characters is a hyphen.
 *
 * @example
 * sanitize("CORP\\Jos\u00e9.Doe"); // "CORP-Jose-Doe"
 */
function sanitize(username: string): string {
  return username
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 63)
    .replace(/-+$/, "");
}

function unusable(raw: string | null): Error {
  return fail("STAGE_USERNAME_UNUSABLE", "No stage was named and the username gives none", {
    why: raw === null ? "The system knows no name for this user." : "It holds no letter or digit.",
    hint: "Name the stage with --stage, SCRIM_STAGE or SCRIM_STAGE in .env.",
  });
}

function warning(name: string, why: string): Diagnostic {
  return {
    severity: "warning",
    code: "STAGE_FROM_USERNAME",
    message: `The stage is ${name}, after the username`,
    why,
    hint: "Name the stage with --stage or SCRIM_STAGE.",
    exit: EXIT.done,
  };
}
