import type { Handlers } from "../../../engine/handler.ts";
import type { AwsClients } from "../client/aws-clients.ts";
import { apiHandler } from "./apigateway/api.ts";
import { apiStageHandler } from "./apigateway/api-stage.ts";
import { integrationHandler } from "./apigateway/integration.ts";
import { routeHandler } from "./apigateway/route.ts";
import { userPoolHandler } from "./cognito/user-pool.ts";
import { userPoolClientHandler } from "./cognito/user-pool-client.ts";
import { userPoolDomainHandler } from "./cognito/user-pool-domain.ts";
import { tableHandler } from "./dynamodb/table.ts";
import { roleHandler } from "./iam/role.ts";
import { functionHandler, type ReadBundle } from "./lambda/function.ts";
import { functionUrlHandler } from "./lambda/function-url.ts";
import { permissionHandler } from "./lambda/permission.ts";
import { logGroupHandler } from "./logs/log-group.ts";
import { bucketHandler } from "./s3/bucket.ts";

/**
 * Every resource type of the AWS cloud, in one account and region.
 *
 * @param readBundle the zip of a bundle that this command has built, by its hash
 */
export function awsHandlers(clients: AwsClients, readBundle: ReadBundle): Handlers {
  const handlers = [
    logGroupHandler(clients),
    roleHandler(clients),
    functionHandler(clients, readBundle),
    permissionHandler(clients),
    functionUrlHandler(clients),
    apiHandler(clients),
    apiStageHandler(clients),
    integrationHandler(clients),
    routeHandler(clients),
    bucketHandler(clients),
    tableHandler(clients),
    userPoolHandler(clients),
    userPoolDomainHandler(clients),
    userPoolClientHandler(clients),
  ];
  return new Map(handlers.map((handler) => [handler.type, handler]));
}
