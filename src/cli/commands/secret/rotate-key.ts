import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { defineCommand, type StateFlags } from "../../command.ts";
import { stateFlags } from "../../flags.ts";
import { targetOf } from "../../session.ts";

export const secretRotateKeyCommand = defineCommand<StateFlags>({
  brief: "Encrypt all secrets of the app with a new key",
  description:
    "Makes a new key and encrypts every secret of every stage of the app with it. Older keys stay,\n" +
    "so that older state can be read. Interrupted, run it again. Export the key afterwards where\n" +
    "other machines use it.",
  examples: [
    ["scrim secret rotate-key", "of the app whose config is here"],
    ["scrim secret rotate-key --app shop", "without the app's config"],
  ],
  parameters: { flags: stateFlags },
  async run(session, flags): Promise<ExitCode> {
    const { rotateSecretsKey } = await import("../../../operations/secrets.ts");
    const { location, keyId } = await rotateSecretsKey(targetOf(flags), session.context);
    const { app } = location;
    session.answer({ app, keyId }, () =>
      [
        `The secrets of ${app} are encrypted with the new key ${keyId}.`,
        "Stages show changed secrets until their next scrim deploy.",
        "",
      ].join("\n"),
    );
    return EXIT.done;
  },
});
