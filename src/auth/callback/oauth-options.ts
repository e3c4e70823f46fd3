import { issuerUrl } from "../http/fetch-text.ts";

/**
 * How users sign in at an OAuth 2.0 provider. The same object goes to `auth.redirect` and `auth.callback`.
 */
export interface OAuthOptions {
  /** The provider's token endpoint. */
  readonly tokenUrl: string;
  readonly clientId: string;
  /** From a linked secret, never written into code. It also signs what `auth.redirect` leaves in the browser. */
  readonly clientSecret: string;
  /**
   * How the code is sent to the token endpoint. `json` sends `code`, `client_id`, `client_secret` and `grant_type`;
   * `form` is what RFC 6749 asks for and what Cognito takes, and needs `redirectUri`.
   * @default "json"
   */
  readonly encoding?: "json" | "form";
  /** Address of the callback, as it is registered with the provider. */
  readonly redirectUri?: string;
  /**
   * The provider's page for signing in. With it the callback takes only sign-ins that `auth.redirect` started in the
   * same browser: `state` and PKCE.
   */
  readonly authorizeUrl?: string;
  /** @default "openid email" */
  readonly scope?: string;
  /** The path that the user ends at. @default "/dashboard" */
  readonly path?: string;
  /**
   * How the access token gets there: as the query parameter `token`, in the fragment, which no server sees, or in a
   * cookie that scripts cannot read (see `cookieToken`).
   * @default "query"
   */
  readonly mode?: "query" | "fragment" | "cookie";
}

/** Checked options, with their defaults. */
export interface OAuthClient {
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly encoding: "json" | "form";
  readonly redirectUri: string | null;
  readonly authorizeUrl: URL | null;
  readonly scope: string;
  readonly path: string;
  readonly mode: "query" | "fragment" | "cookie";
}

const NAMES: ReadonlySet<string> = new Set<keyof OAuthOptions>([
  "tokenUrl",
  "clientId",
  "clientSecret",
  "encoding",
  "redirectUri",
  "authorizeUrl",
  "scope",
  "path",
  "mode",
]);

/**
 * @param where the function, for the message
 * @throws TypeError for what cannot be meant
 */
export function readOAuthOptions(where: string, options: OAuthOptions): OAuthClient {
  refuseUnknown(where, options);
  const { redirectUri, authorizeUrl } = options;
  const encoding = oneOf(where, "encoding", options.encoding ?? "json", ["json", "form"]);
  if (encoding === "form" && redirectUri === undefined) {
    throw new TypeError(`${where}: encoding "form" needs redirectUri`);
  }
  return {
    tokenUrl: issuerUrl("tokenUrl", options.tokenUrl),
    clientId: text(where, "clientId", options.clientId),
    clientSecret: text(where, "clientSecret", options.clientSecret),
    encoding,
    redirectUri: redirectUri === undefined ? null : issuerUrl("redirectUri", redirectUri).href,
    authorizeUrl: authorizeUrl === undefined ? null : issuerUrl("authorizeUrl", authorizeUrl),
    scope: text(where, "scope", options.scope ?? "openid email"),
    path: ownPath(where, options.path ?? "/dashboard"),
    mode: oneOf(where, "mode", options.mode ?? "query", ["query", "fragment", "cookie"]),
  };
}

function refuseUnknown(where: string, options: unknown): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${where} needs an object of options`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!NAMES.has(name)) throw new TypeError(`${where} has no option ${name}`);
    if (value === undefined) throw new TypeError(`${where}: ${name} is undefined`);
  }
}

function text(where: string, name: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`${where}: ${name} must be a string that is not empty`);
}

function oneOf<T extends string>(where: string, name: string, value: T, all: readonly T[]): T {
  if (all.includes(value)) return value;
  throw new TypeError(`${where}: ${name} must be one of ${all.join(", ")}`);
}

/** A path of this host, which no reader takes for another host (`//host`, `/\host`) or for several headers. */
function ownPath(where: string, value: unknown): string {
  const isPath = typeof value === "string" && /^\/(?![/\\])[\x21-\x7e]*$/.test(value);
  if (isPath && !/[\\#]/.test(value)) return value;
  throw new TypeError(`${where}: path must be a path of this host, such as "/dashboard"`);
}
