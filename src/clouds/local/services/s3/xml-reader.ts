import { XMLParser, XMLValidator } from "fast-xml-parser";
import { S3Error } from "./s3-error.ts";

/** An element of a request document. */
export class XmlNode {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  /** The children of that name, in order. */
  all(name: string): readonly XmlNode[] {
    const child = this.#child(name);
    if (child === undefined) return [];
    return (Array.isArray(child) ? child : [child]).map((value) => new XmlNode(value));
  }

  /** The text of the first child of that name, or null when there is none. */
  text(name: string): string | null {
    const [first] = this.all(name);
    if (first === undefined) return null;
    return typeof first.#value === "string" ? first.#value : "";
  }

  /** @throws S3Error `MalformedXML` when there is no such child */
  required(name: string): string {
    const text = this.text(name);
    if (text === null) throw malformed(`${name} is missing`);
    return text;
  }

  #child(name: string): unknown {
    if (typeof this.#value !== "object" || this.#value === null) return undefined;
    return Object.entries(this.#value).find(([key]) => key === name)?.[1];
  }
}

/** Reads a document with the given root. @throws S3Error `MalformedXML` */
export function readXml(text: string, root: string): XmlNode {
  // A document type could define entities; none of S3's documents has one.
  if (text.includes("<!DOCTYPE") || XMLValidator.validate(text) !== true)
    throw malformed("the document is not well-formed");
  const parser = new XMLParser({
    parseTagValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    removeNSPrefix: true,
    htmlEntities: true,
  });
  const found = new XmlNode(parser.parse(text)).all(root)[0];
  if (found === undefined) throw malformed(`the root is not ${root}`);
  return found;
}

function malformed(why: string): S3Error {
  return new S3Error(
    400,
    "MalformedXML",
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}`,
  );
}
