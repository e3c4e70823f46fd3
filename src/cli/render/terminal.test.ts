import { expect, test } from "vitest";
import { screen, testTerminal } from "./terminal.fixture.ts";

test("lines end, and nothing else is added where output is no terminal", () => {
  const { terminal, stdout, stderr } = testTerminal(false);
  terminal.out.write("a");
  terminal.out.write("b\n");
  terminal.out.write("");
  terminal.err.write("c");
  terminal.setLive(["never shown"]);
  expect([stdout.text, stderr.text]).toEqual(["a\nb\n", "c\n"]);
  expect([terminal.interactive, terminal.out.columns]).toEqual([false, Number.POSITIVE_INFINITY]);
});

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
])("on a terminal (%s) with %j colors are on: %s", (isTTY, env, colored) => {
  const { terminal } = testTerminal(isTTY, env);
  expect(terminal.out.style.red("x")).toBe(colored ? "\x1b[31mx\x1b[39m" : "x");
});

test("a dumb terminal is not redrawn", () => {
  const { terminal, stdout } = testTerminal(true, { TERM: "dumb" });
  terminal.setLive(["x"]);
  expect([terminal.interactive, stdout.text]).toEqual([false, ""]);
});

test("live lines stay below what is written and leave nothing behind", () => {
  const { terminal, stdout } = testTerminal(true, {}, 20);
  terminal.setLive(["one", "two"]);
  terminal.out.write("first");
  expect(screen(stdout.text)).toEqual(["first", "one", "two"]);
  terminal.setLive(["a line that is much wider than the terminal"]);
  terminal.out.write("second\nthird");
  expect(screen(stdout.text)).toEqual(["first", "second", "third", "a line that is m..."]);
  terminal.setLive([]);
  terminal.setLive([]);
  expect(screen(stdout.text).filter((line) => line !== "")).toEqual(["first", "second", "third"]);
});

test("problems are written between live lines too", () => {
  const { terminal, stdout, stderr } = testTerminal(true);
  terminal.setLive(["live"]);
  terminal.err.write("problem");
  expect([screen(stdout.text), stderr.text]).toEqual([["live"], "problem\n"]);
});

test("a reader that goes away stops output and nothing else", () => {
  const { terminal, stdout, stderr } = testTerminal(false);
  expect(terminal.out.closed.aborted).toBe(false);
  stdout.emitError(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  expect([terminal.out.closed.aborted, terminal.err.closed.aborted]).toEqual([true, false]);
  terminal.out.write("lost");
  stderr.failure = new Error("write EIO");
  terminal.err.write("lost");
  stderr.failure = null;
  terminal.err.write("lost");
  expect(stdout.text + stderr.text).toBe("");
});
