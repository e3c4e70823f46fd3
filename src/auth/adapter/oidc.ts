import { JwksUnavailable } from "../auth-error.ts";
import { bearer } from "../http/bearer.ts";
import { issuerUrl } from "../http/fetch-text.ts";
import { memberOf } from "../http/request-event.ts";
import type { KeySet } from "../keys/key-set.ts";
import { discoveredKeySet, keySetAt } from "../keys/key-sets.ts";
import { createPolicy, requireOptions, stringList, type TokenOptions } from "../verify/policy.ts";
import { verify } from "../verify/verify.ts";
import type { AuthAdapter } from "./auth-adapter.ts";
import { emailOf, emailUnavailable } from "./email-claim.ts";
import { RememberedEmails } from "./remembered-emails.ts";
import { askUserInfo } from "./user-info.ts";

/** Options of {@link oidc}. */
export interface OidcOptions extends TokenOptions {
  /** The issuer, exactly as it stands in `iss`. */
  readonly issuer: string;
  /** Whom the token must be for; one of several is enough. */
  readonly audience: string | readonly string[];
  /** Where the issuer publishes its keys. @default what its `.well-known/openid-configuration` says */
  readonly jwksUri?: string;
  /** The issuer's userInfo endpoint, asked once for each token that has no `email`. */
  readonly userInfoUri?: string;
  /** Takes emails that the issuer says are not verified. @default false */
  readonly allowUnverifiedEmail?: boolean;
}

const NAMES = ["issuer", "audience", "jwksUri", "userInfoUri", "allowUnverifiedEmail"];

/**
 * An adapter for an issuer that follows OpenID Connect.
 *
 * @throws TypeError for options that cannot be meant
 */
export function oidc(options: OidcOptions): AuthAdapter {
  const where = "AuthAdapter.oidc()";
  requireOptions(where, options, NAMES);
  const { issuer, audience, jwksUri, userInfoUri, allowUnverifiedEmail = false } = options;
  const [expectedIssuer = ""] = stringList(where, "issuer", [issuer]);
  const policy = createPolicy(where, options, {
    issuers: [expectedIssuer],
    audiences: stringList(where, "audience", audience),
    check: null,
  });
  const keySet =
    jwksUri === undefined ? discovered(expectedIssuer) : keySetAt(issuerUrl("jwksUri", jwksUri));
  const userInfoUrl = userInfoUri === undefined ? null : issuerUrl("userInfoUri", userInfoUri);
  const emails = new RememberedEmails();
  return {
    async verify(event) {
      const token = bearer(event);
      const claims = await verify(token, keySet, policy);
      const facts = { email: claims.email, verified: claims["email_verified"] };
      const claimed = emailOf(facts, allowUnverifiedEmail);
      if (claimed !== null) return { id: claims.sub, email: claimed };
      if (userInfoUrl === null) throw emailUnavailable("The token has no email");
      const email = await emails.of(claims, async () => {
        const found = emailOf(await askUserInfo(userInfoUrl, token, claims), allowUnverifiedEmail);
        if (found === null) throw emailUnavailable("The user has no email");
        return found;
      });
      return { id: claims.sub, email };
    },
  };
}

/** OpenID Connect Discovery 1.0, section 4: the document must be of the very issuer that it was asked from. */
function discovered(issuer: string): KeySet {
  const base = issuerUrl("issuer", issuer).href.replace(/\/$/, "");
  const url = new URL(`${base}/.well-known/openid-configuration`);
  return discoveredKeySet(issuer, url, (document) => {
    const configuration = parse(document);
    if (memberOf(configuration, "issuer") !== issuer) {
      throw new JwksUnavailable("The discovery document is of another issuer");
    }
    try {
      return issuerUrl("jwks_uri", memberOf(configuration, "jwks_uri"));
    } catch {
      throw new JwksUnavailable("The discovery document has no usable jwks_uri");
    }
  });
}

function parse(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    throw new JwksUnavailable("The discovery document is not JSON");
  }
}
