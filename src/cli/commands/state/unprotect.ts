import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { parseStageName } from "../../../model/stage-name.ts";
import type { Unprotected } from "../../../operations/unprotect.ts";
import { type CommonFlags, defineCommand } from "../../command.ts";
import { nonEmpty, stateFlags } from "../../flags.ts";
import { targetOf } from "../../session.ts";

type UnprotectFlags = CommonFlags & {
  readonly config?: string;
  readonly app?: string;
  readonly home?: string;
  readonly yes?: boolean;
};

const { stage: _, ...appFlags } = stateFlags;

export const stateUnprotectCommand = defineCommand<UnprotectFlags, [stage: string]>({
  brief: "Lift the protection of a stage",
  description:
    "Records that the stage may be removed, after its name was typed once more. Where the config\n" +
    "says protect: true for the stage, remove is refused all the same, and the next deploy\n" +
    "protects it again. A stage that is not protected exits 0.",
  examples: [
    ["scrim state unprotect old-production", "asks for the name"],
    ["scrim state unprotect old-production --yes", "in a script"],
  ],
  parameters: {
    flags: {
      ...appFlags,
      yes: { kind: "boolean", optional: true, withNegated: false, brief: "Do not ask" },
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Stage to lift the protection of",
          parse: (input: string): string => parseStageName(nonEmpty("<stage>")(input), "<stage>"),
          placeholder: "stage",
        },
      ],
    },
  },
  async run(session, flags, stage): Promise<ExitCode> {
    const { unprotect } = await import("../../../operations/unprotect.ts");
    const target = { ...targetOf(flags), stage };
    const result = await unprotect(target, { confirmed: flags.yes === true }, session.context);
    const { changed, configProtects } = result;
    session.answer({ app: result.location.app, stage, changed, configProtects }, () =>
      unprotectedText(result),
    );
    return EXIT.done;
  },
});

function unprotectedText({ location, changed, configProtects }: Unprotected): string {
  const { app, stage } = location;
  const lines = [
    changed ? `${app}/${stage} is not protected any more` : `${app}/${stage} was not protected`,
  ];
  if (configProtects) {
    lines.push(
      "The config says protect: true for it, which counts too; change it before a removal.",
    );
  }
  return `${lines.join("\n")}\n`;
}
