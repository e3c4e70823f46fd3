import type { Emit, EngineEvent } from "../../model/event.ts";
import { parseUrn, type Urn } from "../../model/urn.ts";
import { ACTIONS, paintOf } from "./action-text.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { durationText } from "./duration-text.ts";
import { headerText } from "./header.ts";
import { safeLine } from "./safe-text.ts";
import { isNoop, planSummaryText, StepCounts } from "./summary-text.ts";
import type { Terminal } from "./terminal.ts";

export interface ProgressOptions {
  readonly cwd: string;
  readonly verbose?: boolean;
  /** Monotonic, milliseconds. */
  readonly nowMs?: () => number;
}

export interface Progress {
  readonly emit: Emit;
  /** Takes away what is live and tells the summary, unless `told` is false. Idempotent. */
  finish(told?: boolean): void;
}

interface Running {
  readonly label: string;
  readonly startedMs: number;
  reason: string;
  toldMs: number;
}

const REDRAW_MS = 100;
const LIVE_LINES_MAX = 8;
/** Without a live display, work that takes long is told this often, so that nobody takes it for stuck. */
const REMIND_MS = 30_000;
const SPINNER = ["-", "\\", "|", "/"];

/**
 * Renders what an operation tells: on a terminal with lines that are redrawn while steps run, elsewhere with one
 * plain line for each step.
 */
export function startProgress(terminal: Terminal, options: ProgressOptions): Progress {
  return new ProgressView(terminal, options);
}

class ProgressView implements Progress {
  readonly #terminal: Terminal;
  readonly #options: ProgressOptions;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  readonly #running = new Map<Urn, Running>();
  readonly #counts = new StepCounts();
  readonly #timer: NodeJS.Timeout;
  #phase = "";
  #turn = 0;
  #finished = false;
  #waitToldMs = Number.NEGATIVE_INFINITY;

  constructor(terminal: Terminal, options: ProgressOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#startedMs = this.#nowMs();
    this.#timer = setInterval(() => this.#tick(), terminal.interactive ? REDRAW_MS : REMIND_MS / 3);
    this.#timer.unref();
  }

  readonly emit: Emit = (event) => {
    if (this.#finished) return;
    this.#counts.add(event);
    this.#follow(event);
    const text = this.#textOf(event);
    if (text !== "") this.#terminal.out.write(text);
    const problem = event.kind === "diagnostic" || event.kind === "step-failed";
    if (problem) this.#terminal.err.write(this.#problemText(event));
  };

  finish(told = true): void {
    if (this.#finished) return;
    this.#finished = true;
    clearInterval(this.#timer);
    this.#terminal.setLive([]);
    if (!told) return;
    const { out } = this.#terminal;
    out.write(out.style.bold(this.#counts.text(this.#nowMs() - this.#startedMs)));
  }

  /** Keeps track of what is running. */
  #follow(event: EngineEvent): void {
    switch (event.kind) {
      case "step-started": {
        const nowMs = this.#nowMs();
        const label = `${ACTIONS[event.action].doing} ${this.#nameOf(event)}`;
        this.#running.set(event.urn, { label, startedMs: nowMs, reason: "", toldMs: nowMs });
        return;
      }
      case "step-waiting": {
        const running = this.#running.get(event.urn);
        if (running !== undefined) running.reason = safeLine(event.reason);
        return;
      }
      case "step-done":
      case "step-failed":
        this.#running.delete(event.urn);
        return;
      case "progress":
        this.#phase = safeLine(event.message);
        if (this.#terminal.interactive) this.#draw();
        return;
      case "planned":
        this.#phase = "";
    }
  }

  #textOf(event: EngineEvent): string {
    const { style } = this.#terminal.out;
    switch (event.kind) {
      case "header":
        return `${headerText(event, style)}\n`;
      case "planned":
        return isNoop(event.summary) ? "" : `${planSummaryText(event.summary)}\n`;
      case "step-done":
        return event.action === "same" ? "" : this.#doneText(event);
      case "step-failed":
        return `${style.red("!")} ${this.#nameOf(event)} ${style.red("failed")}\n`;
      case "step-skipped": {
        const because = safeLine(parseUrn(event.because).name);
        return style.dim(`  ${this.#nameOf(event)} skipped, it needs ${because}`);
      }
      case "settled":
        return settledText(event);
      case "progress":
        return this.#terminal.interactive || this.#isRepeat(event)
          ? ""
          : `${safeLine(event.message)}\n`;
      default:
        return "";
    }
  }

  /** Waiting for another command is told every second, which is too often where lines stay. */
  #isRepeat({ phase }: Extract<EngineEvent, { kind: "progress" }>): boolean {
    if (phase !== "lock") return false;
    const nowMs = this.#nowMs();
    if (nowMs - this.#waitToldMs < REMIND_MS / 3) return true;
    this.#waitToldMs = nowMs;
    return false;
  }

  #doneText(event: Extract<EngineEvent, { kind: "step-done" }>): string {
    const { style } = this.#terminal.out;
    const { symbol, done } = ACTIONS[event.action];
    const what = this.#counts.isOldGeneration(event) ? "old one deleted" : done;
    const time = style.dim(`(${durationText(event.elapsedMs)})`);
    return `${paintOf(style, event.action)(symbol)} ${this.#nameOf(event)} ${what} ${time}\n`;
  }

  #problemText(event: EngineEvent): string {
    if (!("diagnostic" in event)) return "";
    const { cwd, verbose = false } = this.#options;
    return diagnosticText(event.diagnostic, { style: this.#terminal.err.style, cwd, verbose });
  }

  #nameOf({ name, type }: { readonly name: string; readonly type: string }): string {
    return `${safeLine(name)}  ${safeLine(type)}`;
  }

  #tick(): void {
    if (this.#terminal.interactive) {
      this.#turn += 1;
      this.#draw();
      return;
    }
    const nowMs = this.#nowMs();
    for (const running of this.#running.values()) {
      if (nowMs - running.toldMs < REMIND_MS) continue;
      running.toldMs = nowMs;
      this.#terminal.out.write(`  still ${this.#runningText(running, nowMs)}`);
    }
  }

  #draw(): void {
    const nowMs = this.#nowMs();
    const spinner = SPINNER[this.#turn % SPINNER.length] ?? "";
    const all = [...this.#running.values()].map((one) => this.#runningText(one, nowMs));
    if (all.length === 0 && this.#phase !== "") all.push(this.#phase);
    const lines = all.slice(0, LIVE_LINES_MAX).map((text) => `${spinner} ${text}`);
    if (all.length > lines.length) lines.push(`  and ${all.length - lines.length} more`);
    this.#terminal.setLive(lines);
  }

  #runningText({ label, startedMs, reason }: Running, nowMs: number): string {
    const time = durationText(Math.floor((nowMs - startedMs) / 1000) * 1000).replace("0 ms", "0 s");
    return reason === "" ? `${label} (${time})` : `${label} (${time}): ${reason}`;
  }
}

/** What was found out about a call that an earlier command did not see the end of. */
function settledText({ urn, result }: Extract<EngineEvent, { kind: "settled" }>): string {
  const name = safeLine(parseUrn(urn).name);
  switch (result) {
    case "live":
      return `  ${name}: begun earlier, found, and taken over\n`;
    case "void":
      return `  ${name}: begun earlier, but nothing came of it\n`;
    case "gone":
      return `  ${name}: its deletion, begun earlier, is done\n`;
    case "foreign":
      return `! ${name}: exists, but belongs to someone else\n`;
  }
}
