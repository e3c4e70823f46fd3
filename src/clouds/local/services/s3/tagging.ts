import { S3Error } from "./s3-error.ts";
import type { TextMap } from "./stored-json.ts";
import type { XmlElement } from "./xml.ts";
import type { XmlNode } from "./xml-reader.ts";

/** Limits of the S3 user guide, "Categorizing your storage using tags". */
const TAGS_MAX = 10;
const KEY_CHARS_MAX = 128;
const VALUE_CHARS_MAX = 256;

/** Reads an `x-amz-tagging` header, which is written like a query. @throws S3Error `InvalidTag` */
export function parseTagHeader(header: string | null): TextMap {
  return collect([...new URLSearchParams(header ?? "")]);
}

/** Reads a `Tagging` document. @throws S3Error `InvalidTag`, `MalformedXML` */
export function parseTagDocument(document: XmlNode): TextMap {
  const tags = document.all("TagSet").flatMap((set) => set.all("Tag"));
  return collect(tags.map((tag) => [tag.required("Key"), tag.required("Value")]));
}

export function tagElements(tags: TextMap): XmlElement[] {
  const elements = Object.entries(tags).map(
    ([key, value]): XmlElement => [
      "Tag",
      [
        ["Key", key],
        ["Value", value],
      ],
    ],
  );
  return [["TagSet", elements]];
}

function collect(pairs: readonly (readonly [string, string])[]): TextMap {
  const tags = Object.fromEntries(pairs);
  if (Object.keys(tags).length !== pairs.length)
    throw invalid("Cannot provide multiple Tags with the same key");
  if (pairs.length > TAGS_MAX)
    throw new S3Error(400, "BadRequest", `Object tags cannot be greater than ${TAGS_MAX}`);
  for (const [key, value] of pairs) {
    if (key.length < 1 || key.length > KEY_CHARS_MAX)
      throw invalid("The TagKey you have provided is invalid");
    if (value.length > VALUE_CHARS_MAX) throw invalid("The TagValue you have provided is invalid");
  }
  return tags;
}

function invalid(message: string): S3Error {
  return new S3Error(400, "InvalidTag", message);
}
