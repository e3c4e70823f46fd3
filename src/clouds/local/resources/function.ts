import type { ResourceHandler } from "../../../engine/handler.ts";
import { functionArn, LOCAL_TYPES } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/**
 * `local:function`: inputs name, bundle, handler, timeoutMs, memoryMb, concurrency, environment,
 * links.
 */
export function functionHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    {
      type: LOCAL_TYPES.function,
      data: false,
      // As on AWS, so that a name that is valid here is valid there.
      naming: { maxLength: 64, lowerCase: false },
      predict: (physicalName) => ({ name: physicalName, arn: functionArn(physicalName) }),
      prepare: (stageKey, inputs) => access.sendCode(stageKey, String(inputs["bundle"])),
    },
    access,
  );
}
