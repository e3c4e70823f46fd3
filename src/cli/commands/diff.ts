import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { DiffResult } from "../../operations/diff.ts";
import { defineCommand, type StageFlags } from "../command.ts";
import { nonEmpty, stageFlags } from "../flags.ts";
import { diagnosticText } from "../render/diagnostic-text.ts";
import { jsonPlan } from "../render/json.ts";
import { planText } from "../render/plan-text.ts";
import { protectedRoutesText } from "../render/protected-routes.ts";
import { type Session, targetOf } from "../session.ts";

type DiffFlags = StageFlags & {
  readonly exitCode?: boolean;
  readonly allowDestroy?: readonly string[];
};

export const diffCommand = defineCommand<DiffFlags>({
  brief: "Show what a deploy would do",
  description:
    "Shows the plan, property by property. Takes no lock and writes nothing to the home.\n" +
    "Exits 0, or with --exit-code 10 when something would change.",
  examples: [
    ["scrim diff", "the plan for your personal stage"],
    ["scrim diff --stage production --exit-code", "exit 10 where production is behind"],
  ],
  parameters: {
    flags: {
      ...stageFlags,
      exitCode: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Exit 10 when something would change",
      },
      allowDestroy: {
        kind: "parsed",
        parse: nonEmpty("--allow-destroy"),
        optional: true,
        variadic: true,
        brief: "Plan as deploy would with the same flag",
        placeholder: "name",
      },
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { diff } = await import("../../operations/diff.ts");
    const options = { allowDestroy: flags.allowDestroy ?? [], allowEmpty: false };
    const result = await diff(targetOf(flags), options, session.context);
    session.progress.finish(false);
    tellPlan(session, result);
    const { changes } = result;
    return flags.exitCode === true && changes ? EXIT.changes : EXIT.done;
  },
});

/** Warnings come last, where they are seen. */
function tellPlan(session: Session, { plan, summary, protectedRoutes }: DiffResult): void {
  const { out, err } = session.terminal;
  if (session.json) {
    out.write(jsonPlan(plan, summary, protectedRoutes, session.warnings));
    return;
  }
  out.write(planText(plan, summary, out.style));
  out.write(protectedRoutesText(protectedRoutes, out.style));
  const { cwd } = session.context;
  for (const warning of plan.warnings) {
    const options = { style: err.style, cwd, verbose: session.verbose };
    err.write(`\n${diagnosticText(warning, options)}`);
  }
}
