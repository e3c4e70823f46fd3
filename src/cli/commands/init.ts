import { EXIT, type ExitCode } from "../../model/diagnostic.ts";
import type { Initialized } from "../../operations/init.ts";
import { type CommonFlags, defineCommand } from "../command.ts";
import { commonFlags } from "../flags.ts";
import { safeLine } from "../render/safe-text.ts";

type InitFlags = CommonFlags & {
  readonly yes?: boolean;
};

export const initCommand = defineCommand<InitFlags, [name?: string]>({
  brief: "Make a project of this folder",
  description:
    "Writes scrim.config.ts, a first route, tsconfig.json and scrim-env.d.ts, and adds .scrim/ to\n" +
    ".gitignore. Overwrites nothing; a folder that has a config already exits 2.",
  examples: [
    ["scrim init", "asks for the name"],
    ["scrim init notes --yes", "asks nothing"],
  ],
  parameters: {
    flags: {
      ...commonFlags,
      yes: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Do not ask; take the name of package.json or of the folder",
      },
    },
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "Name of the app", parse: String, placeholder: "name", optional: true },
      ],
    },
  },
  async run(session, flags, name): Promise<ExitCode> {
    const { init } = await import("../../operations/init.ts");
    const confirmed = flags.yes === true;
    const initialized = await init(name ?? null, { confirmed }, session.context);
    const { folder, app, created, changed, left, missing } = initialized;
    session.answer({ folder, app, created, changed, left, missing }, () => initText(initialized));
    return EXIT.done;
  },
});

function initText(initialized: Initialized): string {
  const { app, folder, created, changed, left } = initialized;
  return [
    `Made the app ${app} in ${safeLine(folder)}`,
    ...created.map((file) => `  + ${file}`),
    ...changed.map((file) => `  ~ ${file} (added .scrim/)`),
    ...left.map((file) => `  = ${file} was there and is left as it is${adviceFor(file)}`),
    "",
    "Next:",
    ...nextSteps(initialized),
    "",
  ].join("\n");
}

function adviceFor(file: string): string {
  return file === "tsconfig.json" ? "; let it include scrim.config.ts and scrim-env.d.ts" : "";
}

function nextSteps({ missing, hasPackageFile, handlerFile }: Initialized): readonly string[] {
  const steps: [line: string, does: string][] = [
    ["npx scrim deploy", "make your personal stage and get its URL"],
    ["npx scrim dev", `then change ${handlerFile} and see it at once`],
  ];
  if (missing.length > 0) {
    steps.unshift([`npm install --save-dev ${missing.join(" ")}`, "what the project needs"]);
    if (!hasPackageFile) steps.unshift(["npm init -y", "a package.json"]);
  }
  const width = Math.max(...steps.map(([line]) => line.length));
  return steps.map(([line, does]) => `  ${line.padEnd(width)}  # ${does}`);
}
