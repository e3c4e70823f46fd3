import { expect, test } from "vitest";
import { EXIT } from "../../model/diagnostic.ts";
import type { Plan, Step } from "../../model/plan.ts";
import type { ResourceGoal, ResourceState } from "../../model/resource.ts";
import { urnOf } from "../../model/urn.ts";
import { Ref, Sensitive } from "../../model/value.ts";
import { jsonDocument, jsonError, jsonEvent, jsonPlan } from "./json.ts";
import { planText } from "./plan-text.ts";
import { PLAIN } from "./style.ts";

function goal(type: string, name: string, inputs: ResourceGoal["inputs"] = {}): ResourceGoal {
  const urn = urnOf(type, name);
  return { urn, type, name, component: name, inputs, dependsOn: [], aliases: [] };
}

function prior(type: string, name: string): ResourceState {
  return {
    urn: urnOf(type, name),
    type,
    name,
    component: name,
    status: "live",
    generation: 1,
    physicalName: `p-${name}`,
    id: `p-${name}`,
    inputs: {},
    outputs: {},
    dependsOn: [],
    createdAt: "",
    updatedAt: "",
  };
}

function about(type: string, name: string) {
  const urn = urnOf(type, name);
  return { id: `x ${urn}`, urn, generation: 1, physicalName: `p-${name}`, after: [] };
}

const steps: readonly Step[] = [
  {
    ...about("local:function", "Api/GET /notes"),
    action: "create",
    goal: goal("local:function", "Api/GET /notes", {
      handler: "index.list",
      environment: { TOKEN: new Sensitive("hunter2"), TABLE: new Ref(urnOf("t", "n"), "name") },
    }),
    replaces: null,
    changes: [],
  },
  {
    ...about("local:bucket", "Uploads"),
    action: "create",
    goal: goal("local:bucket", "Uploads"),
    replaces: null,
    changes: [{ path: "cors", before: undefined, after: null, forcesReplace: false }],
  },
  {
    ...about("local:function", "Job"),
    action: "update",
    goal: goal("local:function", "Job"),
    prior: prior("local:function", "Job"),
    changes: [
      { path: "environment.A", before: "x\n", after: { $unknown: true }, forcesReplace: false },
      { path: "key", before: { $sealed: "h1" }, after: { $sealed: "h2" }, forcesReplace: false },
      { path: "memoryMb", before: undefined, after: 512, forcesReplace: false },
    ],
  },
  {
    ...about("local:table", "Notes"),
    action: "create",
    goal: goal("local:table", "Notes"),
    replaces: prior("local:table", "Notes"),
    changes: [{ path: "hashKey", before: "id", after: "key", forcesReplace: true }],
  },
  {
    ...about("local:table", "Notes"),
    action: "delete",
    prior: prior("local:table", "Notes"),
    reason: "replaced",
  },
  {
    ...about("local:bucket", "Old"),
    action: "delete",
    prior: prior("local:bucket", "Old"),
    reason: "dropped",
  },
  {
    ...about("local:bucket", "Kept"),
    action: "detach",
    prior: prior("local:bucket", "Kept"),
    reason: "removal is retain",
  },
  {
    ...about("local:bucket", "New"),
    action: "rename",
    goal: goal("local:bucket", "New"),
    prior: prior("local:bucket", "Former"),
  },
  {
    ...about("local:bucket", "Same"),
    action: "same",
    goal: goal("local:bucket", "Same"),
    prior: prior("local:bucket", "Same"),
  },
];

const plan: Plan = { serial: 7, steps, warnings: [] };
const summary = { create: 2, update: 1, replace: 1, delete: 1, retain: 1, same: 1 };

test("a plan is told property by property, with nothing secret in it", () => {
  expect(planText(plan, summary, PLAIN)).toBe(`+ Api/GET /notes  local:function
    handler: "index.list"
    environment: { TOKEN: (sensitive), TABLE: (known after apply) }
+ Uploads  local:bucket
    cors: null
~ Job  local:function
    environment.A: "x\\n" -> (known after apply)
    key: (sensitive) (changed)
    memoryMb: (none) -> 512
! Notes  local:table (replace)
    hashKey: "id" -> "key" (forces replacement)
- Old  local:bucket (not in the config)
~ Kept  local:bucket (retained: removal is retain)
~ New  local:bucket (was Former)

2 to create, 1 to update, 1 to replace, 1 to delete, 1 to retain
`);
});

test("a plan without changes is one line", () => {
  const none = { create: 0, update: 0, replace: 0, delete: 0, retain: 0, same: 12 };
  expect(planText({ ...plan, steps: [] }, none, PLAIN)).toBe(
    "No changes, 12 resources up to date\n",
  );
  expect(planText({ ...plan, steps: [] }, { ...none, same: 0 }, PLAIN)).toBe("Nothing to do\n");
});

test("a plan as JSON has a version and no secret, not even a hash of one", () => {
  const text = jsonPlan(plan, summary, [], []);
  expect(text).not.toMatch(/hunter2|sealed|h1|h2/);
  const document = JSON.parse(text);
  expect(document).toMatchObject({ version: 1, serial: 7, summary });
  expect(document.steps[2]).toEqual({
    action: "update",
    urn: "local:function::Job",
    type: "local:function",
    name: "Job",
    component: "Job",
    generation: 1,
    physicalName: "p-Job",
    changes: [
      { path: "environment.A", before: "x\n", after: { unknown: true }, forcesReplace: false },
      {
        path: "key",
        before: { sensitive: true },
        after: { sensitive: true },
        forcesReplace: false,
      },
      { path: "memoryMb", before: null, after: 512, forcesReplace: false },
    ],
  });
  expect(document.steps[3].action).toBe("replace");
});

test("a failed command's JSON has its first problem and all of them", () => {
  const problem = {
    severity: "error",
    code: "A",
    message: "a",
    hint: "b",
    exit: EXIT.usage,
  } as const;
  expect(jsonError([problem, { ...problem, code: "B" }])).toBe(
    '{"version":1,"error":{"severity":"error","code":"A","message":"a","exit":2,"hint":"b"},' +
      '"errors":[{"severity":"error","code":"A","message":"a","exit":2,"hint":"b"},' +
      '{"severity":"error","code":"B","message":"a","exit":2,"hint":"b"}]}\n',
  );
});

test("every JSON document is one line of characters that cannot act on a terminal", () => {
  const text = jsonDocument({ text: "\x1b\x7f\x9b\u202e\u2028\n" });
  expect(text).toBe('{"version":1,"text":"\\u001b\\u007f\\u009b\\u202e\\u2028\\n"}\n');
  expect(JSON.parse(text).text).toBe("\x1b\x7f\x9b\u202e\u2028\n");
});

test("an event is one line with its version", () => {
  expect(jsonEvent({ kind: "progress", phase: "bundle", message: "Bundling" })).toBe(
    '{"version":1,"kind":"progress","phase":"bundle","message":"Bundling"}\n',
  );
});
