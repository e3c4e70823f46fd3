import { listCommand } from "./list-command.ts";

export const stateListCommand = listCommand(
  async () => (await import("../../../operations/state-list.ts")).listStages,
);
