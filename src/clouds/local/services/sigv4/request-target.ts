/**
 * A request target taken apart without normalizing: `..` and `//` in a path are ordinary text of an
 * object key.
 */
export interface RequestTarget {
  /** As sent, still percent-encoded; starts with `/`. */
  readonly rawPath: string;
  /** Decoded, in the order sent; a name may occur twice. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** @throws URIError when an escape is not UTF-8 */
export function parseRequestTarget(url: string): RequestTarget {
  const path = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  const mark = path.indexOf("?");
  if (mark < 0) return { rawPath: path === "" ? "/" : path, query: [] };
  const pairs = path.slice(mark + 1).split("&");
  return {
    rawPath: mark === 0 ? "/" : path.slice(0, mark),
    query: pairs.filter((pair) => pair !== "").map(parsePair),
  };
}

function parsePair(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  if (at < 0) return [decodeForm(pair), ""];
  return [decodeForm(pair.slice(0, at)), decodeForm(pair.slice(at + 1))];
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

/** Percent-encodes everything but the unreserved characters of RFC 3986, as SigV4 asks. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
