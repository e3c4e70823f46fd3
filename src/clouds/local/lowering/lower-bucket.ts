import type { BucketNode } from "../../../components/node.ts";
import { applyTransform } from "../../../components/transform.ts";
import { Ref } from "../../../model/value.ts";
import type { Lowered } from "../../cloud.ts";
import { corsInputs } from "../../lowering/cors-inputs.ts";
import { goalOf } from "../../lowering/goal.ts";
import { LOCAL_TYPES } from "../identity.ts";
import { checkTransformed } from "./check-transformed.ts";
import { notHere } from "./not-here.ts";

/** A Bucket component. @throws DiagnosticError `LOCAL_NOT_SUPPORTED` (exit 2) for versioning */
export function lowerBucket(node: BucketNode): Lowered {
  if (node.versioning) throw notHere(node, "versioning");
  const inputs = { cors: corsInputs(node.cors), versioning: node.versioning };
  const after = checkTransformed(node, "bucket", inputs, applyTransform(node, "bucket", inputs));
  const bucket = goalOf(node, "", LOCAL_TYPES.bucket, after);
  return {
    goals: [bucket],
    outputs: { name: new Ref(bucket.urn, "name"), arn: new Ref(bucket.urn, "arn") },
  };
}
