import { encodeRfc3986 } from "../sigv4/request-target.ts";
import type { ObjectSummary } from "./object-table.ts";
import { invalidArgument } from "./s3-error.ts";
import type { XmlElement } from "./xml.ts";

/** Most entries of one page of any listing. */
export const PAGE_MAX = 1000;

/**
 * Writes a key into a listing: as it is, or percent-encoded when `encoding-type=url` was asked for.
 */
export type EncodeKey = (key: string) => string;

/** @throws S3Error `InvalidArgument` */
export function keyEncoder(query: ReadonlyMap<string, string>): EncodeKey {
  const type = query.get("encoding-type");
  if (type === undefined) return (key) => key;
  if (type !== "url")
    throw invalidArgument("Invalid Encoding Method specified in Request", "encoding-type", type);
  return (key) => key.split("/").map(encodeRfc3986).join("/");
}

/**
 * A count such as `max-keys`, at most {@link PAGE_MAX}.
 *
 * @throws S3Error `InvalidArgument`
 */
export function parseCount(query: ReadonlyMap<string, string>, name: string): number {
  const text = query.get(name);
  if (text === undefined || text === "") return PAGE_MAX;
  if (!/^\d{1,10}$/.test(text))
    throw invalidArgument(`Provided ${name} not an integer or within integer range`, name, text);
  return Math.min(Number(text), PAGE_MAX);
}

export function contentsElement(object: ObjectSummary, encode: EncodeKey): XmlElement {
  return [
    "Contents",
    [
      ["Key", encode(object.key)],
      ["LastModified", new Date(object.modifiedMs).toISOString()],
      ["ETag", `"${object.etag}"`],
      object.checksum === null ? null : ["ChecksumAlgorithm", object.checksum.algorithm],
      object.checksum === null ? null : ["ChecksumType", object.checksum.type],
      ["Size", object.size],
      ["StorageClass", object.headers["x-amz-storage-class"] ?? "STANDARD"],
    ],
  ];
}

export function prefixElement(prefix: string, encode: EncodeKey): XmlElement {
  return ["CommonPrefixes", [["Prefix", encode(prefix)]]];
}

/** An element only when the query has a value for it. */
export function echoed(
  query: ReadonlyMap<string, string>,
  parameter: string,
  element: string,
  encode: EncodeKey = (text) => text,
): XmlElement {
  const value = query.get(parameter);
  return value === undefined ? null : [element, encode(value)];
}
