import { requireObject } from "../require-object.ts";
import type { S3Operation } from "../s3-call.ts";
import { headOf } from "./get-object.ts";

export const headObject: S3Operation = async (call) => headOf(call, requireObject(call));
