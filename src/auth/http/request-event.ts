/** A value for each name, as gateways put headers and parameters. */
export type Named = Readonly<Record<string, string | undefined>>;

/**
 * What is used of a request: the events of HTTP APIs, REST APIs, function URLs and load balancers have it in common.
 * Whatever else arrives is looked at with care, and refused where it makes no sense.
 */
export interface RequestEvent {
  readonly headers?: Named | null;
  readonly queryStringParameters?: Named | null;
  readonly cookies?: readonly string[] | null;
}

/** The request of a protected route, behind its authorizer. */
export interface AuthorizedEvent extends RequestEvent {
  readonly requestContext: {
    readonly authorizer: {
      /** `id` of the user that the authorizer returned. */
      readonly userId: string;
      readonly email?: string;
    };
  };
}

/** A member of something that may be anything. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/**
 * All values that a request has for a header, whatever the case of its name. One that a gateway joined with commas
 * is one value; what is no text is left out.
 */
export function headerValues(event: unknown, name: string): readonly string[] {
  const single = valuesOf(memberOf(event, "headers"), name);
  const multiple = valuesOf(memberOf(event, "multiValueHeaders"), name).flatMap((value) =>
    Array.isArray(value) ? value : [],
  );
  const values = multiple.length > 1 ? multiple : [...new Set([...single, ...multiple])];
  return values.filter((value) => typeof value === "string");
}

function valuesOf(headers: unknown, name: string): readonly unknown[] {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) return [];
  return Object.entries(headers).flatMap(([key, value]) =>
    key.length === name.length && key.toLowerCase() === name ? [value] : [],
  );
}

/** A query parameter; undefined when it is missing, or no text. */
export function queryValue(event: unknown, name: string): string | undefined {
  const value = memberOf(memberOf(event, "queryStringParameters"), name);
  return typeof value === "string" ? value : undefined;
}

/** A cookie's value; the first of that name, which browsers send for the narrowest path. */
export function cookieValue(event: unknown, name: string): string | undefined {
  const list = memberOf(event, "cookies");
  const listed: readonly unknown[] = Array.isArray(list) ? list : [];
  const lines = [...listed, ...headerValues(event, "cookie")];
  const pairs = lines.flatMap((line) => (typeof line === "string" ? line.split(";") : []));
  const start = `${name}=`;
  return pairs
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}

/**
 * Whether the client came by https. Gateways say so in `x-forwarded-proto`; only one that says http, as the local
 * cloud does, is taken for http.
 */
export function isSecure(event: unknown): boolean {
  const values = headerValues(event, "x-forwarded-proto");
  return !(values.length === 1 && values[0] === "http");
}
