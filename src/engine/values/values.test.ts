import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DiagnosticError, fail } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { canonicalJson } from "../../model/json.ts";
import { urnOf } from "../../model/urn.ts";
import { Computed, Ref, Sensitive, type Value, type ValueObject } from "../../model/value.ts";
import { differences } from "./differences.ts";
import { redactDiagnostic } from "./redact.ts";
import { clearForm, plannedForm, storedForm } from "./render.ts";
import { type Evaluation, resolve, resolveInputs } from "./resolve.ts";
import { UNKNOWN_NEW, UNKNOWN_UPDATED, type Unknown } from "./resolved.ts";
import { sameAsStored } from "./same-as-stored.ts";

const seal = (value: Json): string => `hmac(${canonicalJson(value).length})`;
const ref = new Ref(urnOf("t", "A"), "id");

function evaluation(output: Json | Unknown = "a-1"): Evaluation {
  return { owner: "t::B", lookup: () => output, seal };
}

const AT = { file: "/app/scrim.config.ts", line: 3 };

function problemOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return JSON.stringify(error.diagnostics) + error.stack;
  }
  return "none";
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0].code;
    throw error;
  }
  return "none";
}

const upper = (value: Value): Computed =>
  new Computed([value], ([text]) => String(text).toUpperCase());

describe("resolve", () => {
  it("puts outputs in place of refs and runs callbacks, also callbacks over callbacks", () => {
    const inputs = { plain: [1, null], ref, nested: upper(upper(ref)) };
    expect(clearForm(resolveInputs(inputs, evaluation()))).toEqual({
      plain: [1, null],
      ref: "a-1",
      nested: "A-1",
    });
  });

  it("does not run a callback of which an input is unknown", () => {
    let runs = 0;
    const counting = new Computed([ref], () => {
      runs += 1;
      return "x";
    });
    const resolved = resolveInputs({ counting, known: "k" }, evaluation(UNKNOWN_NEW));
    expect(plannedForm(resolved, seal)).toEqual({ counting: { $unknown: true }, known: "k" });
    expect(runs).toBe(0);
  });

  it("takes what a callback makes of a sensitive value for sensitive", () => {
    const header = new Computed([new Sensitive("s3cret"), ref], ([a, b]) => ({ v: `${a} ${b}` }));
    const resolved = resolveInputs({ header }, evaluation());
    expect(JSON.stringify(storedForm(resolved, seal))).not.toContain("s3cret");
    expect(JSON.stringify(plannedForm(resolved, seal))).not.toContain("s3cret");
    expect(clearForm(resolved)).toEqual({ header: { v: "s3cret a-1" } });
  });

  it.each([
    ["an error", (text: string) => new Error(text)],
    ["a problem with its place", (text: string) => fail("SAID", text, { why: text, source: AT })],
  ])("shows %s that a callback throws, and never one over a sensitive value", (_, problem) => {
    const throwing = (input: Value): Computed =>
      new Computed([input], ([text]) => {
        throw problem(`quotes ${text}`);
      });
    expect(problemOf(() => resolve(throwing("plain"), evaluation()))).toContain("quotes plain");
    const said = problemOf(() => resolve(throwing(new Sensitive("s3cret")), evaluation()));
    expect(said).not.toContain("s3cret");
    expect(said).toContain("t::B");
  });

  it("resolves what a callback returns, so that it may return refs and secrets", () => {
    const returning = new Computed([], () => ({ again: ref, secret: new Sensitive("x") }));
    const resolved = resolve(returning, evaluation());
    expect(storedForm(resolved, seal)).toEqual({ again: "a-1", secret: { $sealed: seal("x") } });
  });

  it.each([
    ["a function", () => {}],
    ["a symbol", Symbol("s")],
    ["not a number", Number.NaN],
    ["a big number", 10n],
    ["what looks like a seal", { $sealed: "x" }],
  ])("refuses %s from a callback and names the resource", (_, value) => {
    const odd = new Computed([], () => value as never);
    expect(codeOf(() => resolve(odd, evaluation()))).toBe("VALUE_INVALID");
  });

  it("refuses a value that contains itself instead of running for ever", () => {
    const self: Record<string, Value> = {};
    self["self"] = self;
    expect(codeOf(() => resolve(self, evaluation()))).toBe("VALUE_INVALID");
  });

  it("keeps a key called __proto__ an ordinary key", () => {
    const odd = JSON.parse('{"__proto__":{"polluted":true}}') as ValueObject;
    const clear = clearForm(resolveInputs(odd, evaluation()));
    expect(Object.keys(clear)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

/** Values of every kind, together with what they come to. */
const anyValue = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(ref),
    fc.string().map((text) => new Sensitive(text)),
    tie("value").map((inner) => new Computed([inner], ([json]) => json ?? null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
}));

describe("sameAsStored", () => {
  it("agrees with resolving and comparing, whatever the value", () => {
    fc.assert(
      fc.property(anyValue.value, anyValue.value, (one, other) => {
        const stored = storedForm(resolve(one, evaluation()), seal);
        const otherStored = storedForm(resolve(other, evaluation()), seal);
        const isEqual = canonicalJson(stored) === canonicalJson(otherStored);
        expect(sameAsStored(one, stored, evaluation())).toBe(true);
        expect(sameAsStored(other, stored, evaluation())).toBe(isEqual);
      }),
    );
  });

  it("never takes something unknown for unchanged", () => {
    expect(sameAsStored({ ref }, { ref: "a-1" }, evaluation(UNKNOWN_UPDATED))).toBe(false);
  });
});

describe("differences", () => {
  const between = (before: JsonObject | null, after: ValueObject, output?: Json | Unknown) =>
    differences(before, resolveInputs(after, evaluation(output)), seal);

  it("names what differs by its path and by the key it lies under", () => {
    const before = { env: { A: "1", B: "2" }, list: [1, 2], same: true };
    const found = between(before, { env: { A: "1", B: "3" }, list: [1, 5], same: true });
    expect(found.map(({ path, key }) => [path, key])).toEqual([
      ["env.B", "env"],
      ["list.1", "list"],
    ]);
  });

  it("shows additions and removals", () => {
    expect(between({ gone: 1 }, { added: 2 })).toMatchObject([
      { path: "added", before: undefined, after: 2 },
      { path: "gone", before: 1, after: undefined },
    ]);
  });

  it("shows sensitive values by their seals only", () => {
    const found = between({ key: { $sealed: "old" } }, { key: new Sensitive("clear") });
    expect(found).toMatchObject([{ path: "key", after: { $sealed: seal("clear") } }]);
  });

  it("tells what may turn out equal from what is certainly new", () => {
    const before = { ref: "a-1" };
    expect(between(before, { ref }, UNKNOWN_UPDATED)).toMatchObject([{ doubtful: true }]);
    expect(between(before, { ref }, UNKNOWN_NEW)).toMatchObject([{ doubtful: false }]);
  });
});

describe("redactDiagnostic", () => {
  it("hides a secret in every form in which a message may quote it", () => {
    const secret = 'p"ss wörd';
    const forms = [
      secret,
      JSON.stringify(secret),
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ];
    const diagnostic = {
      severity: "error" as const,
      code: "X",
      exit: 1 as const,
      message: forms.join(" "),
      why: forms[0] ?? "",
    };
    const shown = redactDiagnostic(diagnostic, { deep: [new Sensitive({ key: secret })] });
    for (const form of forms) expect(JSON.stringify(shown)).not.toContain(form.slice(1, -1));
  });
});
