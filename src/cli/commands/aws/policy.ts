import { EXIT, type ExitCode } from "../../../model/diagnostic.ts";
import { defineCommand, type StateFlags } from "../../command.ts";
import { stateFlags } from "../../flags.ts";
import { targetOf } from "../../session.ts";

export const awsPolicyCommand = defineCommand<StateFlags>({
  brief: "Print the permissions that deploying the app needs",
  description:
    "Prints an IAM policy for the user or role that deploys: resources named after the app, the\n" +
    "log groups of its stages, the home and its keys. providers.aws.region and a single id in\n" +
    "allowedAccountIds narrow it down. Calls nothing and needs no credentials.",
  examples: [
    ["scrim aws policy > policy.json", "for aws iam create-policy"],
    ["scrim aws policy --app shop", "without the app's config"],
  ],
  parameters: { flags: stateFlags },
  async run(session, flags): Promise<ExitCode> {
    const { appDeployerPolicy } = await import("../../../operations/deployer-policy.ts");
    const { app, policy } = await appDeployerPolicy(targetOf(flags), session.context);
    session.answer({ app, policy }, () => `${JSON.stringify(policy, null, 2)}\n`);
    return EXIT.done;
  },
});
