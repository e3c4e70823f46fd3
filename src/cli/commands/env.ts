import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { ExplainedEnv } from "../../operations/explain-env.ts";
import { defineCommand, type StageFlags } from "../command.ts";
import { stageFlags } from "../flags.ts";
import { safeLine } from "../render/safe-text.ts";
import { tableText } from "../render/table.ts";
import type { Output } from "../render/terminal.ts";
import { targetOf } from "../session.ts";

type EnvFlags = StageFlags & {
  readonly explain?: boolean;
};

export const envCommand = defineCommand<EnvFlags>({
  brief: "Tell which file set which variable",
  description:
    "Lists every variable that .env or .env.<stage> sets for the config, and which file or the\n" +
    "environment decided it. Values are never shown. Does not run the config.",
  examples: [
    ["scrim env --explain", "for your personal stage"],
    ["scrim env --explain --stage production", "with .env.production"],
  ],
  parameters: {
    flags: {
      ...stageFlags,
      explain: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Say where each variable comes from; what the command does anyway",
      },
    },
  },
  async run(session, flags): Promise<ExitCode> {
    const { explainEnv } = await import("../../operations/explain-env.ts");
    const explained = explainEnv(targetOf(flags), session.context);
    session.answer({ ...explained }, () => explainedText(explained, session.terminal.out));
    return EXIT.done;
  },
});

function explainedText(explained: ExplainedEnv, out: Output): string {
  const { stage, stageSource, files, variables } = explained;
  const found = files.map((file) => `${file.name} (${file.found ? "read" : "not there"})`);
  const head = `Stage ${stage} (from ${stageSource}), ${found.join(", ")}\n`;
  if (variables.length === 0) return `${head}No file sets a variable.\n`;
  const rows = variables.map(({ key, source, line, overridden }) => [
    safeLine(key),
    line === null ? source : `${source}:${line}`,
    overridden.join(", "),
  ]);
  const titles = [{ title: "Variable" }, { title: "Set by" }, { title: "Also in" }];
  return `${head}\n${tableText(titles, rows, out.columns, out.style)}`;
}
