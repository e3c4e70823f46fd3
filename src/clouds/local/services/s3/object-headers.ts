import { checksumHeader } from "./checksum/checksum.ts";
import type { StoredObject } from "./object-table.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { invalidArgument, notImplemented, S3Error } from "./s3-error.ts";
import type { TextMap } from "./stored-json.ts";

const KEPT = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
  "x-amz-website-redirect-location",
];

const META = "x-amz-meta-";
/**
 * User metadata, names and values together, may have 2 KB (S3 user guide, "Working with object
 * metadata").
 */
const META_BYTES_MAX = 2048;

/**
 * What an upload says about the object, as GetObject will answer it.
 *
 * @throws S3Error for metadata that is too large and for headers whose meaning is not supported
 */
export function readObjectHeaders(headers: RequestHeaders): TextMap {
  refuseUnsupported(headers);
  const kept: Record<string, string> = {};
  for (const name of KEPT) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value;
  }
  const encoding = withoutAwsChunked(kept["content-encoding"] ?? "");
  if (encoding === "") delete kept["content-encoding"];
  else kept["content-encoding"] = encoding;
  kept["content-type"] ??= "binary/octet-stream";
  const storageClass = headers.get("x-amz-storage-class");
  if (storageClass !== null && storageClass !== "STANDARD")
    kept["x-amz-storage-class"] = storageClass;
  return checkHeaderValues({ ...kept, ...readMetadata(headers) });
}

/**
 * Values from a presigned URL's query may hold what no header can; such an object could never be
 * read again.
 *
 * @throws S3Error `InvalidArgument`
 */
export function checkHeaderValues(values: TextMap): TextMap {
  const bad = Object.entries(values).find(([, value]) => /[^\P{Cc}\t]/u.test(value));
  if (bad === undefined) return values;
  throw invalidArgument("Header value cannot be represented", bad[0]);
}

/** Headers that tell which object this is and when it changed. */
export function validatorHeaders(object: StoredObject): TextMap {
  return {
    etag: `"${object.etag}"`,
    "last-modified": new Date(object.modifiedMs).toUTCString(),
    "accept-ranges": "bytes",
  };
}

/** The object's checksum as headers, when there is one. */
export function checksumHeaders(object: Pick<StoredObject, "checksum">): TextMap {
  if (object.checksum === null) return {};
  const { algorithm, type, value } = object.checksum;
  return { [checksumHeader(algorithm)]: value, "x-amz-checksum-type": type };
}

/**
 * Clients that frame a body as aws-chunked say so in Content-Encoding; that is not part of the
 * object.
 */
function withoutAwsChunked(encoding: string): string {
  return encoding
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "aws-chunked")
    .join(",");
}

function readMetadata(headers: RequestHeaders): TextMap {
  const pairs = headers.startingWith(META);
  const bytes = pairs.reduce(
    (sum, [name, value]) => sum + name.length - META.length + Buffer.byteLength(value),
    0,
  );
  if (bytes > META_BYTES_MAX)
    throw new S3Error(
      400,
      "MetadataTooLarge",
      "Your metadata headers exceed the maximum allowed metadata size",
      { Size: String(bytes), MaxSizeAllowed: String(META_BYTES_MAX) },
    );
  return Object.fromEntries(pairs);
}

/** Ignoring one of these would store something else than the client asked for. */
function refuseUnsupported(headers: RequestHeaders): void {
  for (const prefix of UNSUPPORTED) {
    const [first] = headers.startingWith(prefix);
    if (first !== undefined) throw notImplemented(`the header ${first[0]}`);
  }
  const acl = headers.get("x-amz-acl");
  if (acl !== null && acl !== "private" && acl !== "bucket-owner-full-control")
    throw new S3Error(400, "AccessControlListNotSupported", "The bucket does not allow ACLs");
  const encryption = headers.get("x-amz-server-side-encryption");
  if (encryption !== null && encryption !== "AES256")
    throw notImplemented(`x-amz-server-side-encryption: ${encryption}`);
}

const UNSUPPORTED = [
  "x-amz-server-side-encryption-",
  "x-amz-copy-source-server-side-encryption-",
  "x-amz-object-lock-",
  "x-amz-grant-",
  "x-amz-write-offset-bytes",
];
