import { abortMultipartUpload } from "./operations/abort-multipart-upload.ts";
import { completeMultipartUpload } from "./operations/complete-multipart-upload.ts";
import { copyObject } from "./operations/copy-object.ts";
import { createMultipartUpload } from "./operations/create-multipart-upload.ts";
import { deleteObject } from "./operations/delete-object.ts";
import { deleteObjects } from "./operations/delete-objects.ts";
import { getBucketCors } from "./operations/get-bucket-cors.ts";
import { getBucketLocation } from "./operations/get-bucket-location.ts";
import { getBucketVersioning } from "./operations/get-bucket-versioning.ts";
import { getObject } from "./operations/get-object.ts";
import { headBucket } from "./operations/head-bucket.ts";
import { headObject } from "./operations/head-object.ts";
import { listBuckets } from "./operations/list-buckets.ts";
import { listMultipartUploads } from "./operations/list-multipart-uploads.ts";
import { listObjects } from "./operations/list-objects.ts";
import { listObjectsV2 } from "./operations/list-objects-v2.ts";
import { listParts } from "./operations/list-parts.ts";
import {
  deleteObjectTagging,
  getObjectTagging,
  putObjectTagging,
} from "./operations/object-tagging.ts";
import { putObject } from "./operations/put-object.ts";
import { createBucket, deleteBucket } from "./operations/refuse-bucket-changes.ts";
import { uploadPart } from "./operations/upload-part.ts";
import { uploadPartCopy } from "./operations/upload-part-copy.ts";
import type { S3Operation } from "./s3-call.ts";
import { SUBRESOURCES } from "./subresources.ts";

export type S3Scope = "service" | "bucket" | "object";

interface Route {
  readonly method: string;
  readonly scope: S3Scope;
  /** Query parameters that must be there, besides those that any operation may have. */
  readonly parameters: readonly string[];
  /** Whether `x-amz-copy-source` must be there (true) or absent (false). */
  readonly copies: boolean;
  readonly operation: S3Operation;
}

/** `"PUT object partNumber uploadId"`, with `+copy` behind it when the request names a source. */
const OPERATIONS: Readonly<Record<string, S3Operation>> = {
  "GET service": listBuckets,
  "GET bucket": listObjects,
  "GET bucket list-type": listObjectsV2,
  "GET bucket location": getBucketLocation,
  "GET bucket versioning": getBucketVersioning,
  "GET bucket cors": getBucketCors,
  "GET bucket uploads": listMultipartUploads,
  "HEAD bucket": headBucket,
  "PUT bucket": createBucket,
  "DELETE bucket": deleteBucket,
  "POST bucket delete": deleteObjects,
  "GET object": getObject,
  "GET object tagging": getObjectTagging,
  "GET object uploadId": listParts,
  "HEAD object": headObject,
  "PUT object": putObject,
  "PUT object +copy": copyObject,
  "PUT object tagging": putObjectTagging,
  "PUT object partNumber uploadId": uploadPart,
  "PUT object partNumber uploadId +copy": uploadPartCopy,
  "POST object uploads": createMultipartUpload,
  "POST object uploadId": completeMultipartUpload,
  "DELETE object": deleteObject,
  "DELETE object tagging": deleteObjectTagging,
  "DELETE object uploadId": abortMultipartUpload,
};

const ROUTES: readonly Route[] = Object.entries(OPERATIONS).map(([pattern, operation]) => {
  const [method = "", scope = "", ...rest] = pattern.split(" ");
  const parameters = rest.filter((word) => word !== "+copy");
  return {
    method,
    scope: parseScope(scope),
    parameters,
    copies: rest.includes("+copy"),
    operation,
  };
});

/** The operation that a request means, or null when it is none of those supported. */
export function findOperation(
  method: string,
  scope: S3Scope,
  query: ReadonlyMap<string, string>,
  copies: boolean,
): S3Operation | null {
  const found = ROUTES.find(
    (route) =>
      route.method === method &&
      route.scope === scope &&
      route.copies === copies &&
      sameSubresources(route.parameters, query, method),
  );
  return found?.operation ?? null;
}

/** A subresource that the route does not name would change what the request means. */
function sameSubresources(
  parameters: readonly string[],
  query: ReadonlyMap<string, string>,
  method: string,
): boolean {
  if (!parameters.every((name) => query.has(name))) return false;
  return [...query.keys()].every(
    (name) =>
      !SUBRESOURCES.has(name) ||
      parameters.includes(name) ||
      // Reading one part of an object is refused by its operation, which can say so better.
      (name === "partNumber" && (method === "GET" || method === "HEAD")),
  );
}

function parseScope(word: string): S3Scope {
  if (word === "service" || word === "bucket" || word === "object") return word;
  throw new Error(`not a scope: ${word}`);
}
