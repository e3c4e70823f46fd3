import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EXIT } from "../../model/diagnostic.ts";
import type { EngineEvent, StepAction } from "../../model/event.ts";
import { urnOf } from "../../model/urn.ts";
import { startProgress } from "./progress.ts";
import { screen, testTerminal } from "./terminal.fixture.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function about(name: string, action: StepAction) {
  const type = "local:bucket";
  return { urn: urnOf(type, name), component: name, name, type, action };
}

const diagnostic = { severity: "error", code: "X", message: "no room", exit: EXIT.failed } as const;

const events: readonly EngineEvent[] = [
  { kind: "progress", phase: "bundle", message: "Bundling 2 functions" },
  {
    kind: "planned",
    summary: { create: 2, update: 0, replace: 1, delete: 0, retain: 0, same: 4 },
  },
  { kind: "settled", urn: urnOf("local:bucket", "A"), result: "live" },
  { kind: "step-started", ...about("A", "create") },
  { kind: "step-done", ...about("A", "create"), elapsedMs: 1200 },
  { kind: "step-started", ...about("B", "replace") },
  { kind: "step-done", ...about("B", "replace"), elapsedMs: 50 },
  { kind: "step-started", ...about("B", "delete") },
  { kind: "step-done", ...about("B", "delete"), elapsedMs: 5 },
  { kind: "step-started", ...about("C", "create") },
  { kind: "step-failed", ...about("C", "create"), diagnostic },
  { kind: "step-skipped", ...about("D", "create"), because: urnOf("local:bucket", "C") },
];

const told = `2 to create, 1 to replace
  A: begun earlier, found, and taken over
+ A  local:bucket created (1.2 s)
! B  local:bucket replaced (50 ms)
- B  local:bucket old one deleted (5 ms)
! C  local:bucket failed
  D  local:bucket skipped, it needs C
1 created, 1 replaced, 1 failed, 1 skipped in 1.5 s
`;

test("where output is no terminal, each step is a plain line and the end is a summary", () => {
  const { terminal, stdout, stderr } = testTerminal(false);
  let nowMs = 0;
  const progress = startProgress(terminal, { cwd: "/", nowMs: () => nowMs });
  for (const event of events) progress.emit(event);
  nowMs = 1500;
  progress.finish();
  progress.finish();
  progress.emit({ kind: "progress", phase: "late", message: "late" });
  expect(stdout.text).toBe(`Bundling 2 functions\n${told}`);
  expect(stderr.text).toBe("Error: no room\n");
});

test("on a terminal the screen ends with the same text and nothing live", () => {
  const { terminal, stdout } = testTerminal(true, { NO_COLOR: "1" });
  let nowMs = 0;
  const progress = startProgress(terminal, { cwd: "/", nowMs: () => nowMs });
  for (const event of events) {
    progress.emit(event);
    vi.advanceTimersByTime(100);
  }
  nowMs = 1500;
  progress.finish();
  const lines = screen(stdout.text).filter((line) => line !== "");
  expect(`${lines.join("\n")}\n`).toBe(told);
});

test("on a terminal what runs is shown with its time and what it waits for", () => {
  const { terminal, stdout } = testTerminal(true, { NO_COLOR: "1" }, 80);
  let nowMs = 0;
  const progress = startProgress(terminal, { cwd: "/", nowMs: () => nowMs });
  for (let number = 1; number <= 10; number++) {
    progress.emit({ kind: "step-started", ...about(`N${number}`, "create") });
  }
  const { urn } = about("N1", "create");
  progress.emit({ kind: "step-waiting", urn, reason: "not ready\x07", elapsedMs: 1 });
  nowMs = 65_400;
  vi.advanceTimersByTime(100);
  const lines = screen(stdout.text);
  expect(lines.slice(0, 2)).toEqual([
    "\\ creating N1  local:bucket (1 min 5 s): not ready\\u{7}",
    "\\ creating N2  local:bucket (1 min 5 s)",
  ]);
  expect(lines.slice(7)).toEqual(["\\ creating N8  local:bucket (1 min 5 s)", "  and 2 more"]);
  progress.finish(false);
});

test("elsewhere long work is told of every half minute", () => {
  const { terminal, stdout } = testTerminal(false);
  let nowMs = 0;
  const progress = startProgress(terminal, { cwd: "/", nowMs: () => nowMs });
  progress.emit({ kind: "step-started", ...about("A", "delete") });
  for (let ten = 0; ten < 6; ten++) {
    nowMs += 10_000;
    vi.advanceTimersByTime(10_000);
  }
  progress.finish(false);
  expect(stdout.text).toBe(
    "  still deleting A  local:bucket (30 s)\n  still deleting A  local:bucket (1 min)\n",
  );
});

test("a command that changed nothing says so", () => {
  const { terminal, stdout } = testTerminal(false);
  const progress = startProgress(terminal, { cwd: "/", nowMs: () => 0 });
  progress.emit({
    kind: "planned",
    summary: { create: 0, update: 0, replace: 0, delete: 0, retain: 0, same: 1 },
  });
  progress.finish();
  expect(stdout.text).toBe("No changes, 1 resource up to date (0 ms)\n");
});
