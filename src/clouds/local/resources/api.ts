import type { ResourceHandler } from "../../../engine/handler.ts";
import { apiId, LOCAL_TYPES } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/** `local:api`: inputs name, cors; outputs id, url, port. Which port is known once it exists. */
export function apiHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    {
      type: LOCAL_TYPES.api,
      data: false,
      naming: { maxLength: 128, lowerCase: false },
      predict: (physicalName) => ({ id: apiId(physicalName) }),
    },
    access,
  );
}
