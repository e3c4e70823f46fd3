import { expect, test } from "vitest";
import type { StageSummary } from "../../home/home.ts";
import { EXIT } from "../../model/diagnostic.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { durationText } from "./duration-text.ts";
import { headerText } from "./header.ts";
import { logRenderer } from "./log-line.ts";
import { outputsText } from "./outputs.ts";
import { safeLine, safeLines, withoutSequences } from "./safe-text.ts";
import { stageTable } from "./stage-table.ts";
import { PLAIN, styleFor } from "./style.ts";
import { tableText } from "./table.ts";
import { textWidth, truncate } from "./text-width.ts";

test.each([
  ["plain \u00e4\u65e5\u672c", "plain \u00e4\u65e5\u672c"],
  ["\x1b[2J", "\\u{1b}[2J"],
  ["a\nb\tc\r", "a\\u{a}b\\u{9}c\\u{d}"],
  ["\x7f\x9b", "\\u{7f}\\u{9b}"],
  ["user\u202egnp.exe", "user\\u{202e}gnp.exe"],
  ["\ud800", "\\u{d800}"],
])("%j is shown as %j", (text, shown) => {
  expect(safeLine(text)).toBe(shown);
});

test("lines of a text stay lines, and tabs take two columns", () => {
  expect(safeLines("a\r\n\tb\rc")).toEqual(["a", "  b\\u{d}c"]);
});

test("colors, titles and cursor movements of other programs are taken out", () => {
  const text = "\x1b[1;31mred\x1b[0m \x1b]0;title\x07x \x1b]8;;http://e\x1b\\link \x1bM\x9b2Ky";
  expect(withoutSequences(text)).toBe("red x link y");
});

test("width counts what a terminal shows", () => {
  expect(
    ["abc", "\u65e5\u672c", "e\u0301", "\x1b[1mx\x1b[22m", "\u{1f680}"].map(textWidth),
  ).toEqual([3, 4, 1, 1, 2]);
  expect(truncate("abcdefgh", 6)).toBe("abc...");
  expect(truncate("\u65e5\u672c\u65e5\u672c", 6)).toBe("\u65e5...");
  expect(truncate("abcdefgh", 2)).toBe("..");
});

test.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [1234, "1.2 s"],
  [9960, "10 s"],
  [59_600, "1 min"],
  [61_000, "1 min 1 s"],
  [3_725_000, "1 h 2 min"],
  [90_000_000, "1 d 1 h"],
])("%d ms is told as %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test("a problem tells what, why, what to do and where", () => {
  const diagnostic = {
    severity: "error",
    code: "HANDLER_EXPORT_MISSING",
    message: "src/notes.ts exports no creat",
    why: "The file exports create.\nNothing else.",
    hint: "Did you mean create?",
    source: { file: "/app/scrim.config.ts", line: 12, column: 5 },
    exit: EXIT.usage,
  } as const;
  expect(diagnosticText(diagnostic, { style: PLAIN, cwd: "/app", verbose: true })).toBe(
    `Error: src/notes.ts exports no creat
  Why: The file exports create.
       Nothing else.
  Fix: Did you mean create?
   At: scrim.config.ts:12:5
 Code: HANDLER_EXPORT_MISSING
`,
  );
});

test("a warning with no more than a message is one line, and paths elsewhere stay whole", () => {
  const warning = {
    severity: "warning",
    code: "W",
    message: "a \x1b[31m",
    exit: EXIT.done,
  } as const;
  const options = { style: PLAIN, cwd: "/app" };
  expect(diagnosticText(warning, options)).toBe("Warning: a \\u{1b}[31m\n");
  const elsewhere = { ...warning, source: { file: "/lib/x.ts", line: 3 } };
  expect(diagnosticText(elsewhere, options)).toContain("At: /lib/x.ts:3\n");
  expect(diagnosticText(warning, { ...options, style: styleFor(true) })).toBe(
    "\x1b[33mWarning:\x1b[39m \x1b[1ma \\u{1b}[31m\x1b[22m\n",
  );
});

test("the header says where, and cannot be overlooked when a stage is made", () => {
  const header = {
    kind: "header",
    app: "notes",
    stage: "alice",
    stageSource: "your username",
    cloud: "aws",
    account: "123456789012",
    region: "eu-central-1",
    creating: true,
  } as const;
  expect(headerText(header, PLAIN)).toBe(`App    notes
Stage  alice (from your username)
Cloud  aws, account 123456789012, region eu-central-1

! New stage: alice will be created in aws, account 123456789012, region eu-central-1
`);
  const known = { ...header, creating: false, cloud: "local", account: "", region: "" };
  expect(headerText(known, PLAIN)).toBe(`App    notes
Stage  alice (from your username)
Cloud  local
`);
});

const stages: readonly StageSummary[] = [
  {
    app: "notes",
    stage: "alice",
    status: "deployed",
    updatedAt: "2026-11-20T07:15:03.123Z",
    resources: 12,
    retained: 0,
    staleSecrets: true,
  },
  {
    app: "notes",
    stage: "production-with-a-long-name",
    status: "retained",
    updatedAt: "2026-01-02T00:00:00Z",
    resources: 2,
    retained: 2,
    staleSecrets: false,
  },
  {
    app: "shop",
    stage: "pr-42",
    status: "corrupt",
    updatedAt: null,
    resources: null,
    retained: null,
    staleSecrets: false,
    problem: "frame 17 \x1b[2J",
  },
];

test("the list of stages shows last update and resources of each", () => {
  expect(stageTable(stages, Number.POSITIVE_INFINITY, PLAIN)).toBe(
    `App    Stage                        Last updated             Resources  Status
notes  alice                        2026-11-20 07:15:03 UTC         12  deployed, secrets changed since
notes  production-with-a-long-name  2026-01-02 00:00:00 UTC          2  removed, data retained, 2 retained
shop   pr-42                        never                            ?  unreadable, frame 17 \\u{1b}[2J
`,
  );
  expect(stageTable([], 80, PLAIN)).toBe("No stages\n");
});

test.each([20, 40, 60, 80])("the list of stages keeps within %d columns", (columns) => {
  for (const line of stageTable(stages, columns, PLAIN).split("\n")) {
    expect(textWidth(line)).toBeLessThanOrEqual(columns);
  }
});

test("a table too wide for any column becomes lists", () => {
  const text = tableText(
    [{ title: "Name" }, { title: "Resources" }],
    [
      ["a", "1"],
      ["b", "2"],
    ],
    12,
    PLAIN,
  );
  expect(text).toBe("Name a\nResources 1\n\nName b\nResources 2\n");
});

test("outputs are whole, aligned and masked", () => {
  const outputs = { url: "http://127.0.0.1:20001", token: { $sealed: "abc" }, list: [1, "a"] };
  expect(outputsText(outputs, PLAIN)).toBe(`url    http://127.0.0.1:20001
token  (sensitive)
list   [1, "a"]
`);
  expect(outputsText({}, PLAIN)).toBe("");
});

test("log lines align, keep several lines together and cannot act on the terminal", () => {
  const render = logRenderer(PLAIN);
  const entry = { requestId: "1", level: "info", time: "2026-11-20T07:15:03.123Z" } as const;
  expect(render({ ...entry, function: "Api/GET /notes", message: "hello\n" })).toBe(
    "07:15:03.123  Api/GET /notes  hello\n",
  );
  expect(render({ ...entry, function: "Job", message: "\x1b[31mred\x1b[0m\n\tat x\x07" })).toBe(
    "07:15:03.123  Job             red\n                                at x\\u{7}\n",
  );
  const dated = logRenderer(styleFor(true), true);
  const error = { ...entry, level: "error", function: "Job", message: "no" } as const;
  expect(dated(error)).toBe(
    "\x1b[2m2026-11-20 07:15:03.123\x1b[22m  \x1b[34mJob\x1b[39m  \x1b[31mno\x1b[39m\n",
  );
});
