import type { BucketNode } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import { Ref } from "../../../model/value.ts";
import type { Lowered } from "../../cloud.ts";
import { corsInputs } from "../../lowering/cors-inputs.ts";
import { goalOf } from "../../lowering/goal.ts";
import { AWS_TYPES } from "../types.ts";
import { checkTransformed } from "./check-transformed.ts";

/** A Bucket component. */
export function lowerBucket(node: BucketNode): Lowered {
  const inputs = { cors: corsInputs(node.cors), versioning: node.versioning };
  const after = checkTransformed(node, "bucket", inputs, applyTransform(node, "bucket", inputs));
  const bucket = goalOf(node, "", AWS_TYPES.bucket, after);
  return {
    goals: [bucket],
    outputs: { name: new Ref(bucket.urn, "name"), arn: new Ref(bucket.urn, "arn") },
  };
}
