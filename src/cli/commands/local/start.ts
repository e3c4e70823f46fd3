import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { type CommonFlags, defineCommand } from "../../command.ts";
import { commonFlags } from "../../flags.ts";
import { safeLine } from "../../render/safe-text.ts";
import { serverDocument, serverText } from "../../render/server-text.ts";
import type { Session } from "../../session.ts";

type StartFlags = CommonFlags & {
  readonly foreground?: boolean;
};

export const localStartCommand = defineCommand<StartFlags>({
  brief: "Start the server of the local cloud",
  description:
    "Brings up every stage of this machine's home, for example after a restart. scrim deploy does so\n" +
    "by itself. In the background a server with nothing to serve leaves after a while; with\n" +
    "--foreground it stays until Ctrl-C or SIGTERM, for containers and service managers.",
  examples: [
    ["scrim local start", "in the background"],
    ["scrim local start --foreground", "as the main process of a container"],
  ],
  parameters: {
    flags: {
      ...commonFlags,
      foreground: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Serve until this command is ended",
      },
    },
  },
  run: (session, flags): Promise<ExitCode> =>
    flags.foreground === true ? serve(session) : start(session),
});

async function start(session: Session): Promise<ExitCode> {
  const { startLocal } = await import("../../../operations/local-server.ts");
  const server = await startLocal(session.context);
  const { out } = session.terminal;
  session.answer(serverDocument(server), () => serverText(server, out.columns, out.style));
  return EXIT.done;
}

async function serve(session: Session): Promise<ExitCode> {
  const { runLocal } = await import("../../../operations/local-server.ts");
  session.endsAnyTime();
  const exit = await runLocal(session.context, (home) => {
    session.answer({ home, running: true }, () => `The local cloud serves ${safeLine(home)}\n`);
  });
  return exit === EXIT.done ? EXIT.done : EXIT.failed;
}
