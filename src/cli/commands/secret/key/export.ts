import { EXIT, type ExitCode } from "../../../../model/diagnostic.ts";
import { defineCommand, type StateFlags } from "../../../command.ts";
import { stateFlags } from "../../../flags.ts";
import { targetOf } from "../../../session.ts";

export const secretKeyExportCommand = defineCommand<StateFlags>({
  brief: "Print the app's keys, to be kept somewhere safe",
  description:
    "Prints all keys of the app on standard output, one a line. Who has them and the home can read\n" +
    "every secret. scrim secret key import takes the text on another machine.",
  examples: [
    ["scrim secret key export > shop.keys", "a backup"],
    [
      "scrim secret key export | ssh build scrim secret key import --app shop",
      "to another machine",
    ],
  ],
  parameters: { flags: stateFlags },
  async run(session, flags): Promise<ExitCode> {
    const { exportKeys } = await import("../../../../operations/secrets.ts");
    const text = await exportKeys(targetOf(flags), session.context);
    const keys = text.split("\n").filter((line) => line !== "");
    session.answer({ keys }, () => text);
    return EXIT.done;
  },
});
