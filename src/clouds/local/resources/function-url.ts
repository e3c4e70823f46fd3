import type { ResourceHandler } from "../../../engine/handler.ts";
import { apiId, LOCAL_TYPES } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/** `local:function-url`: inputs name, function (its physical name), cors; outputs id, url, port. */
export function functionUrlHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    {
      type: LOCAL_TYPES.functionUrl,
      data: false,
      naming: { maxLength: 128, lowerCase: false },
      predict: (physicalName) => ({ id: apiId(physicalName) }),
    },
    access,
  );
}
