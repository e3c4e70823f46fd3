import type { Handlers } from "../../../engine/handler.ts";
import { apiHandler } from "./api.ts";
import { bucketHandler } from "./bucket.ts";
import type { ResourceAccess } from "./control-resource.ts";
import { functionHandler } from "./function.ts";
import { functionUrlHandler } from "./function-url.ts";
import { routeHandler } from "./route.ts";
import { tableHandler } from "./table.ts";
import { userPoolHandler } from "./user-pool.ts";
import { userPoolClientHandler } from "./user-pool-client.ts";

/** Every resource type of the local cloud. */
export function localHandlers(access: ResourceAccess): Handlers {
  const handlers = [
    functionHandler(access),
    functionUrlHandler(access),
    apiHandler(access),
    routeHandler(access),
    bucketHandler(access),
    tableHandler(access),
    userPoolHandler(access),
    userPoolClientHandler(access),
  ];
  return new Map(handlers.map((handler) => [handler.type, handler]));
}
