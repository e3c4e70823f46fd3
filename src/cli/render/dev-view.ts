import { isAbsolute, relative } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Emit } from "../../model/event.ts";
import type { DevEvent, TellDev } from "../../operations/dev/dev-event.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { durationText } from "./duration-text.ts";
import { logRenderer } from "./log-line.ts";
import { outputsText } from "./outputs.ts";
import { type Progress, startProgress } from "./progress.ts";
import { safeLine } from "./safe-text.ts";
import type { Terminal } from "./terminal.ts";

export interface DevViewOptions {
  readonly cwd: string;
  readonly verbose: boolean;
}

/** What `dev` shows on a terminal, or as plain lines where there is none. */
export interface DevView {
  readonly emit: Emit;
  readonly tell: TellDev;
  /** Takes away what is live. */
  finish(): void;
}

/** More names than these are only counted. */
const NAMES_MAX = 3;

type Changed = DevEvent & { readonly kind: "changed" };

/**
 * Shows the first deploy and each change of the config as a deploy is shown, a change of code in one line, and between
 * them what the functions log.
 */
export function startDevView(terminal: Terminal, options: DevViewOptions): DevView {
  const { out, err } = terminal;
  const logText = logRenderer(out.style);
  let progress: Progress | null = startProgress(terminal, options);
  let outputs = "";

  const endProgress = (told: boolean): void => {
    progress?.finish(told);
    progress = null;
  };
  const problems = (diagnostics: readonly Diagnostic[]): string =>
    diagnostics.map((each) => diagnosticText(each, { ...options, style: err.style })).join("");
  const tellOutputs = (text: string): void => {
    if (text !== "" && text !== outputs) out.write(`\n${text}\n`);
    outputs = text;
  };

  const tell: TellDev = (event) => {
    switch (event.kind) {
      case "serving":
        endProgress(true);
        tellOutputs(outputsText(event.outputs, out.style));
        out.write("Watching for changes. Press Ctrl-C to end; the stage stays deployed.\n");
        return;
      case "changing":
        if (event.cause === "code") return;
        out.write(`\n${changingText(event.files, options.cwd)}`);
        progress ??= startProgress(terminal, options);
        return;
      case "changed":
        endProgress(event.resources.length > 0);
        if (event.cause === "code" || event.resources.length === 0) {
          out.write(out.style.bold(changedText(event)));
        }
        tellOutputs(outputsText(event.outputs, out.style));
        return;
      case "incomplete":
        endProgress(true);
        err.write("Not everything could be changed; the next change tries again.\n");
        return;
      case "rejected":
        endProgress(false);
        err.write(`${problems(event.diagnostics)}The last good version goes on being served.\n`);
        return;
      case "log":
        if (options.verbose || !isFrame(event)) out.write(logText(event.entry));
    }
  };

  return {
    tell,
    emit: (event) => {
      if (progress !== null) progress.emit(event);
      else if (event.kind === "diagnostic" || event.kind === "step-failed") {
        err.write(problems([event.diagnostic]));
      } else if (event.kind === "progress") out.write(`${safeLine(event.message)}\n`);
    },
    finish: () => endProgress(false),
  };
}

function changingText(files: readonly string[], cwd: string): string {
  if (files.length === 0) return "A secret or the environment changed\n";
  const names = files.map((file) => safeLine(isAbsolute(file) ? relative(cwd, file) : file));
  return `Changed: ${list(names)}\n`;
}

function changedText({ resources, elapsedMs }: Changed): string {
  const time = durationText(elapsedMs);
  if (resources.length === 0) return `Up to date (${time})\n`;
  return `Updated ${list(resources.map(safeLine))} (${time})\n`;
}

function list(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  const shown = names.slice(0, more > 0 ? NAMES_MAX : names.length).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The lines that frame each request and say nothing that the REPORT line does not. */
function isFrame({ entry }: DevEvent & { readonly kind: "log" }): boolean {
  return entry.level === "platform" && /^(START|END) RequestId/.test(entry.message);
}
