import type { Clock } from "../../model/world.ts";
import type { Cloud } from "../cloud.ts";
import type { CloudOptions } from "../site.ts";
import type { AwsAccount } from "./account/account.ts";
import { createClients } from "./client/create-clients.ts";
import { createAwsLogSource } from "./logs/log-source.ts";
import { lowerAws } from "./lowering/lower.ts";
import { awsHandlers } from "./resources/aws-handlers.ts";

/** Opens the cloud of an account and region. Each service's SDK is loaded when the service is first called. */
export function openAwsCloud(account: AwsAccount, clock: Clock, options: CloudOptions): Cloud {
  const clients = createClients(account, clock);
  const identity = { cloud: "aws", account: account.id, region: account.region };
  return {
    name: identity.cloud,
    identity: async () => identity,
    lower: lowerAws,
    handlers: awsHandlers(clients, options.readBundle),
    logs: createAwsLogSource(clients, clock),
    // What is deployed there is up by itself.
    wake: async () => new Set(),
    // The log group is a resource; nothing else is left behind.
    forgetStage: async () => undefined,
    close: () => clients.close(),
  };
}
