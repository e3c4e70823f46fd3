import type { TextMap } from "../stored-json.ts";

/**
 * The parameters of a query or form; null when one is there twice, which RFC 6749 (section 3.1)
 * forbids: two readers could take two different ones. Empty ones count as left out.
 */
export function readParameters(text: string): TextMap | null {
  const parameters = new URLSearchParams(text);
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length) return null;
  return Object.fromEntries([...parameters].filter(([, value]) => value !== ""));
}

/** A form; null when the body is none, by its content type or its content. */
export function readForm(contentType: string | undefined, body: Buffer): TextMap | null {
  const [mediaType = ""] = (contentType ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/x-www-form-urlencoded") return null;
  return readParameters(body.toString("utf8"));
}
