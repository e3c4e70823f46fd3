import { EXIT, type ExitCode } from "../../../../model/diagnostic.ts";
import { defineCommand, type StateFlags } from "../../../command.ts";
import { stateFlags } from "../../../flags.ts";
import { readStandardInput } from "../../../read-input.ts";
import { type Session, targetOf } from "../../../session.ts";

export const secretKeyImportCommand = defineCommand<StateFlags>({
  brief: "Add exported keys on this machine",
  description:
    "Reads what scrim secret key export printed from standard input, or asks for it. Keys that are\n" +
    "here already stay; none is ever replaced.",
  examples: [
    ["scrim secret key import < shop.keys", "from a backup"],
    ["scrim secret key import --app shop < shop.keys", "without the app's config"],
  ],
  parameters: { flags: stateFlags },
  async run(session, flags): Promise<ExitCode> {
    const { importKeys } = await import("../../../../operations/secrets.ts");
    const text = await readKeys(session);
    const added = await importKeys(targetOf(flags), text, session.context);
    session.answer({ added }, () =>
      added.length === 0
        ? "These keys were here already.\n"
        : `Added ${added.length === 1 ? "the key" : "the keys"} ${added.join(", ")}.\n`,
    );
    return EXIT.done;
  },
});

async function readKeys(session: Session): Promise<string> {
  const { ask } = session.context;
  if (ask !== null && process.stdin.isTTY === true) {
    return ask({ text: "Exported key (not shown): ", hidden: true });
  }
  return readStandardInput();
}
