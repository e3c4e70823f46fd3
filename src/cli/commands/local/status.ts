import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { type CommonFlags, defineCommand } from "../../command.ts";
import { commonFlags } from "../../flags.ts";
import { serverDocument, serverText } from "../../render/server-text.ts";

export const localStatusCommand = defineCommand<CommonFlags>({
  brief: "Show the server of the local cloud and its stages",
  description:
    "Shows whether the server runs, and the address and state of every API of every stage.\n" +
    "Starts nothing; exits 0 also when none runs.",
  examples: [
    ["scrim local status", "a table"],
    ["scrim local status --json", "for programs"],
  ],
  parameters: { flags: commonFlags },
  async run(session): Promise<ExitCode> {
    const { localStatus } = await import("../../../operations/local-server.ts");
    const server = await localStatus(session.context);
    const { out } = session.terminal;
    session.answer(serverDocument(server), () => serverText(server, out.columns, out.style));
    return EXIT.done;
  },
});
