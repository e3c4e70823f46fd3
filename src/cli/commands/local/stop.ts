import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { type CommonFlags, defineCommand } from "../../command.ts";
import { commonFlags } from "../../flags.ts";

export const localStopCommand = defineCommand<CommonFlags>({
  brief: "Stop the server of the local cloud",
  description:
    "Lets the server finish what is in flight and leave. Stages and their data stay; their URLs\n" +
    "answer again after scrim local start or the next deploy. When none runs: exit 0.",
  examples: [["scrim local stop", "free the ports and the memory"]],
  parameters: { flags: commonFlags },
  async run(session): Promise<ExitCode> {
    const { stopLocal } = await import("../../../operations/local-server.ts");
    const { home, pid } = await stopLocal(session.context);
    session.answer({ home, stopped: pid !== null, pid }, () =>
      pid === null
        ? "The local cloud was not running\n"
        : `The local cloud (process ${pid}) has stopped\n`,
    );
    return EXIT.done;
  },
});
