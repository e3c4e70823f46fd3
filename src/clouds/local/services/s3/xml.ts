/** An element: text, or children in order. A list of pairs, because S3 repeats elements. */
export type XmlContent = string | number | boolean | readonly XmlElement[];
export type XmlElement = readonly [name: string, content: XmlContent] | null;

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

/**
 * Writes a document. Null children are left out, so that optional elements need no branches.
 *
 * @example
 * writeXml("Tagging", [["TagSet", []]]);
 */
export function writeXml(root: string, content: XmlContent, namespace = true): string {
  const attribute = namespace ? ` xmlns="${NAMESPACE}"` : "";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${writeContent(content)}</${root}>`;
}

function writeContent(content: XmlContent): string {
  if (typeof content !== "object") return escapeXml(String(content));
  return content
    .map((element) => {
      if (element === null) return "";
      const [name, inner] = element;
      return `<${name}>${writeContent(inner)}</${name}>`;
    })
    .join("");
}

/**
 * Control characters become references as S3 writes them, although XML 1.0 knows only three of
 * them.
 */
function escapeXml(text: string): string {
  return text.replace(/[&<>"'\p{Cc}\u2028]/gu, (char) => {
    const named = NAMED.get(char);
    return named ?? `&#x${char.charCodeAt(0).toString(16).toUpperCase()};`;
  });
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);
