import type { ResourceHandler } from "../../../engine/handler.ts";
import { bucketArn, LOCAL_TYPES } from "../identity.ts";
import { controlResource, type ResourceAccess } from "./control-resource.ts";

/** `local:bucket`: inputs cors, versioning; outputs name, arn. Deleting it deletes its objects. */
export function bucketHandler(access: ResourceAccess): ResourceHandler {
  return controlResource(
    {
      type: LOCAL_TYPES.bucket,
      data: true,
      // docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
      naming: { maxLength: 63, lowerCase: true },
      predict: (physicalName) => ({ name: physicalName, arn: bucketArn(physicalName) }),
    },
    access,
  );
}
