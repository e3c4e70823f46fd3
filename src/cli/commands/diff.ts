import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import { defineCommand, type StageFlags } from "../command.ts";
import { nonEmpty, stageFlags } from "../flags.ts";
import { jsonPlan } from "../render/json.ts";
import { planText } from "../render/plan-text.ts";
import { targetOf } from "../session.ts";

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
    const { plan, summary, changes } = await diff(targetOf(flags), options, session.context);
    session.progress.finish(false);
    const { out } = session.terminal;
    out.write(session.json ? jsonPlan(plan, summary) : planText(plan, summary, out.style));
    return flags.exitCode === true && changes ? EXIT.changes : EXIT.done;
  },
});
