import { claimInvalid } from "../auth-error.ts";
import { bearer } from "../http/bearer.ts";
import { issuerUrl } from "../http/fetch-text.ts";
import { keySetAt } from "../keys/key-sets.ts";
import type { Claims } from "../verify/claims.ts";
import { createPolicy, requireOptions, stringList, type TokenOptions } from "../verify/policy.ts";
import { verify } from "../verify/verify.ts";
import type { AuthAdapter } from "./auth-adapter.ts";
import { cognitoPool } from "./cognito-pool.ts";
import { emailOf, emailUnavailable } from "./email-claim.ts";
import { RememberedEmails } from "./remembered-emails.ts";
import { askGetUser, askUserInfo } from "./user-info.ts";

/** Options of {@link cognito}. */
export interface CognitoOptions extends TokenOptions {
  /** Id of the user pool, from the linked resource's `id`. */
  readonly userPoolId: string;
  /** Clients of the pool whose tokens are taken. @default every client of the pool */
  readonly clientId?: string | readonly string[];
  /** Which tokens are taken. @default "either" */
  readonly tokenUse?: "access" | "id" | "either";
  /** The pool's domain, such as `https://notes.auth.eu-west-1.amazoncognito.com`, to ask userInfo for emails. */
  readonly domain?: string;
  /** Takes emails that Cognito says are not verified. @default false */
  readonly allowUnverifiedEmail?: boolean;
  /** Address of Cognito's API. @default `AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER`, or AWS */
  readonly endpoint?: string;
}

const NAMES = ["userPoolId", "clientId", "tokenUse", "domain", "allowUnverifiedEmail", "endpoint"];

/**
 * An adapter for a Cognito user pool. Access tokens usually carry no email: it is then asked from GetUser (scope
 * `aws.cognito.signin.user.admin`) or, with `domain`, from userInfo (scope `openid`), once for each token; a token
 * that neither is allowed to is refused.
 *
 * @throws TypeError for options that cannot be meant
 */
export function cognito(options: CognitoOptions): AuthAdapter {
  const where = "AuthAdapter.cognito()";
  requireOptions(where, options, NAMES);
  const endpoint = options.endpoint ?? process.env["AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER"];
  const pool = cognitoPool(options.userPoolId, endpoint);
  const policy = createPolicy(where, options, {
    issuers: pool.issuers,
    audiences: null,
    check: poolRules(where, options),
  });
  const keySet = keySetAt(pool.jwksUrl);
  const findEmail = emailFinder(options, pool.apiUrl);
  return {
    async verify(event) {
      const token = bearer(event);
      const claims = await verify(token, keySet, policy);
      return { id: claims.sub, email: await findEmail(token, claims) };
    },
  };
}

function poolRules(where: string, options: CognitoOptions): (claims: Claims) => void {
  const { tokenUse = "either", clientId } = options;
  if (!["access", "id", "either"].includes(tokenUse)) {
    throw new TypeError(`${where}: tokenUse must be access, id or either`);
  }
  const clients = clientId === undefined ? null : stringList(where, "clientId", clientId);
  return (claims) => {
    const use = claims["token_use"];
    if (use !== "access" && use !== "id") {
      throw claimInvalid("token_use", "token_use is neither access nor id");
    }
    if (tokenUse !== "either" && use !== tokenUse) {
      throw claimInvalid("token_use", `token_use is ${use}, and ${tokenUse} is asked for`);
    }
    checkClient(use === "id" ? "aud" : "client_id", claims, clients);
    checkGroups(claims["cognito:groups"]);
  };
}

function checkClient(claim: string, claims: Claims, clients: readonly string[] | null): void {
  const client = claims[claim];
  if (typeof client !== "string" || client === "" || clients?.includes(client) === false) {
    throw claimInvalid(claim, `${claim} is not an expected client`);
  }
}

function checkGroups(groups: unknown): void {
  if (groups === undefined) return;
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === "string")) {
    throw claimInvalid("cognito:groups", "cognito:groups is not a list of strings");
  }
}

type EmailFinder = (token: string, claims: Claims) => string | Promise<string>;

/** Looks where the token's scopes allow: the claim, then GetUser, then userInfo. */
function emailFinder(options: CognitoOptions, apiUrl: URL): EmailFinder {
  const { domain, allowUnverifiedEmail = false } = options;
  const userInfoUrl = domain === undefined ? null : userInfoOf(domain);
  const emails = new RememberedEmails();
  const ask = async (token: string, claims: Claims) => {
    const scopes = typeof claims["scope"] === "string" ? claims["scope"].split(" ") : [];
    if (scopes.includes("aws.cognito.signin.user.admin")) {
      return askGetUser(apiUrl, token, claims);
    }
    if (scopes.includes("openid") && userInfoUrl !== null) {
      return askUserInfo(userInfoUrl, token, claims);
    }
    throw emailUnavailable(
      "The token has no email, and its scopes allow no way to ask for it; send the id token",
    );
  };
  return (token, claims) => {
    const facts = { email: claims.email, verified: claims["email_verified"] };
    const claimed = emailOf(facts, allowUnverifiedEmail);
    if (claimed !== null) return claimed;
    return emails.of(claims, async () => {
      const email = emailOf(await ask(token, claims), allowUnverifiedEmail);
      if (email === null) throw emailUnavailable("The user has no email");
      return email;
    });
  };
}

/** Below the domain, which has a path on the local cloud. */
function userInfoOf(domain: string): URL {
  return new URL(`${issuerUrl("domain", domain).href.replace(/\/$/, "")}/oauth2/userInfo`);
}
