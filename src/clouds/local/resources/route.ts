import type { ResourceHandler } from "../../../engine/handler.ts";
import { LOCAL_TYPES } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/** `local:route`: inputs api (its id), routeKey, function (its physical name). */
export function routeHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    { type: LOCAL_TYPES.route, data: false, naming: { maxLength: 128, lowerCase: false } },
    access,
  );
}
