import type { JsonObject } from "../../../../../model/json.ts";
import { SpecReader } from "./spec-reader.ts";

export const AUTH_FLOWS = [
  "USER_PASSWORD_AUTH",
  "USER_SRP_AUTH",
  "ADMIN_USER_PASSWORD_AUTH",
  "REFRESH_TOKEN_AUTH",
] as const;
export type AuthFlow = (typeof AUTH_FLOWS)[number];

export const SCOPES = [
  "openid",
  "email",
  "phone",
  "profile",
  "aws.cognito.signin.user.admin",
] as const;
export type Scope = (typeof SCOPES)[number];

/** An app that users of a pool sign in to. */
export interface PoolClient {
  /** 26 lower-case letters and digits. */
  readonly id: string;
  /** Id of its pool. */
  readonly pool: string;
  /** In the cloud. */
  readonly name: string;
  readonly secret: string | null;
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  readonly authFlows: readonly AuthFlow[];
  /** What it may ask for on the hosted pages. */
  readonly scopes: readonly Scope[];
  readonly accessTokenSeconds: number;
  readonly idTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  readonly hidesUserExistence: boolean;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

const MINUTES_OF_A_DAY = 24 * 60;
const REFRESH_DAYS_MAX = 3_650;

/** @throws DiagnosticError `USER_POOL_SPEC_INVALID` */
export function parsePoolClient(
  identity: Pick<PoolClient, "id" | "name" | "secret" | "createdMs" | "modifiedMs">,
  spec: JsonObject,
): PoolClient {
  const reader = new SpecReader(identity.name, spec);
  // Cognito takes from five minutes to a day for access and id tokens.
  const minutes = (key: string) => reader.count(key, 5, MINUTES_OF_A_DAY) * 60;
  return {
    ...identity,
    pool: reader.text("pool"),
    callbackUrls: redirectUrls(reader, "callbackUrls"),
    logoutUrls: redirectUrls(reader, "logoutUrls"),
    authFlows: reader.words("authFlows", AUTH_FLOWS),
    scopes: reader.words("scopes", SCOPES),
    accessTokenSeconds: minutes("accessTokenMinutes"),
    idTokenSeconds: minutes("idTokenMinutes"),
    refreshTokenSeconds: reader.count("refreshTokenDays", 1, REFRESH_DAYS_MAX) * 86_400,
    hidesUserExistence: reader.flag("hidesUserExistence"),
  };
}

function redirectUrls(reader: SpecReader, key: string): readonly string[] {
  return reader.texts(key).map((text) => {
    if (isRedirectUrl(text)) return text;
    throw reader.invalid(
      key,
      "a list of https addresses, http addresses of this machine or addresses of an app's own scheme, without a fragment",
    );
  });
}

/**
 * What Cognito takes as a callback: https, an app's own scheme, or plain http on this machine
 * (docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-app-idp-settings.html).
 */
function isRedirectUrl(text: string): boolean {
  if (text.includes("#") || text.length > 1024 || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol === "http:")
    return (
      ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || hostname.endsWith(".localhost")
    );
  return !["javascript:", "data:", "file:", "vbscript:", "blob:", "about:"].includes(protocol);
}
