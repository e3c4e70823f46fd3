/** What a request asks for, taken from its request line. */
export interface Target {
  /** As sent, percent-encoded. */
  readonly encodedPath: string;
  /** Percent-decoded once. */
  readonly path: string;
  /** After the question mark, as sent; empty when there is none. */
  readonly query: string;
}

/** Splits the request target; null when it is none that a gateway answers (a bad escape, `*`, another scheme). */
export function parseTarget(url: string): Target | null {
  const local = url.startsWith("/") ? url : withoutOrigin(url);
  if (local === null) return null;
  const mark = local.indexOf("?");
  const encodedPath = mark < 0 ? local : local.slice(0, mark);
  const path = decodePath(encodedPath);
  if (path === null) return null;
  return { encodedPath, path, query: mark < 0 ? "" : local.slice(mark + 1) };
}

/** Clients of a proxy name the whole address (RFC 9112, section 3.2.2). */
function withoutOrigin(url: string): string | null {
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(url);
  if (match === null) return null;
  const rest = match[1] ?? "";
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function decodePath(path: string): string | null {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * The query as a map: names and values decoded, `+` a space, values of a repeated name joined by commas. Null when
 * there is none. An escape that cannot be decoded is left as it is.
 */
export function queryParameters(query: string): Readonly<Record<string, string>> | null {
  if (query === "") return null;
  const parameters: Record<string, string> = {};
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decodeQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decodeQuery(pair.slice(equals + 1));
    parameters[name] = Object.hasOwn(parameters, name) ? `${parameters[name]},${value}` : value;
  }
  return parameters;
}

function decodeQuery(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
