import { CHECKSUM_ALGORITHMS, checksumElement } from "./checksum/checksum.ts";
import { S3Error } from "./s3-error.ts";
import type { Part } from "./upload-table.ts";
import type { XmlNode } from "./xml-reader.ts";

/** Every part but the last has at least 5 MiB (S3 user guide, "Multipart upload limits"). */
const PART_BYTES_MIN = 5 * 1024 * 1024;

/** One part as the client lists it when it completes an upload. */
export interface ChosenPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string;
  /** Base64, when the client repeats the part's checksum. */
  readonly checksum: string | null;
}

/** @throws S3Error `MalformedXML` */
export function parseChosenParts(document: XmlNode): readonly ChosenPart[] {
  const parts = document.all("Part").map((part) => ({
    number: Number(part.required("PartNumber").trim()),
    etag: part.required("ETag").trim().replace(/^"|"$/g, ""),
    checksum: firstText(
      part,
      CHECKSUM_ALGORITHMS.map((algorithm) => checksumElement(algorithm)),
    ),
  }));
  if (parts.length === 0)
    throw new S3Error(400, "MalformedXML", "You must specify at least one part");
  return parts;
}

/**
 * The stored parts that were chosen. @throws S3Error `InvalidPartOrder`, `InvalidPart`,
 * `EntityTooSmall`
 */
export function checkChosenParts(
  chosen: readonly ChosenPart[],
  stored: readonly Part[],
): readonly Part[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const inOrder = chosen.every(
    (part, index) => index === 0 || part.number > (chosen[index - 1]?.number ?? 0),
  );
  if (!inOrder)
    throw new S3Error(
      400,
      "InvalidPartOrder",
      "The list of parts was not in ascending order. Parts must be ordered by part number.",
    );
  const parts = chosen.map((choice) => {
    const part = byNumber.get(choice.number);
    if (part === undefined || part.etag !== choice.etag) throw invalidPart(choice);
    if (choice.checksum !== null && part.checksum?.value !== choice.checksum)
      throw invalidPart(choice);
    return part;
  });
  const small = parts.slice(0, -1).find((part) => part.size < PART_BYTES_MIN);
  if (small !== undefined) throw tooSmall(small);
  return parts;
}

function firstText(node: XmlNode, names: readonly string[]): string | null {
  return names.map((name) => node.text(name)).find((text) => text !== null) ?? null;
}

function invalidPart(choice: ChosenPart): S3Error {
  return new S3Error(
    400,
    "InvalidPart",
    "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag or checksum may not match the part's.",
    { PartNumber: String(choice.number), ETag: choice.etag },
  );
}

function tooSmall(part: Part): S3Error {
  return new S3Error(
    400,
    "EntityTooSmall",
    "Your proposed upload is smaller than the minimum allowed size",
    {
      PartNumber: String(part.number),
      ProposedSize: String(part.size),
      MinSizeAllowed: String(PART_BYTES_MIN),
    },
  );
}
