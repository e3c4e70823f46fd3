import type { PolicyDocument } from "../clouds/aws/policy/deployer-policy.ts";
import type { OperationContext, Target } from "./context.ts";
import { locate } from "./locate.ts";

/**
 * The permissions that whoever deploys the app needs on AWS, for the account and region that the config names. Calls
 * nothing.
 *
 * @throws DiagnosticError of the config when nothing else tells the app
 */
export async function appDeployerPolicy(
  target: Target,
  context: OperationContext,
): Promise<{ readonly app: string; readonly policy: PolicyDocument }> {
  const { deployerPolicy } = await import("../clouds/aws/policy/deployer-policy.ts");
  const { app, config } = await locate(target, { stateIsEnough: true, anyStage: true }, context);
  const settings = config?.app.providers.aws;
  const [account, other] = settings?.allowedAccountIds ?? [];
  const scope = {
    app,
    account: account !== undefined && other === undefined ? account : null,
    region: settings?.region ?? null,
  };
  return { app, policy: deployerPolicy(scope) };
}
