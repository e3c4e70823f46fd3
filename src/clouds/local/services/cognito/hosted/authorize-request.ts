import type { PoolClient, Scope } from "../pools/pool-client.ts";
import type { HostedCall } from "./hosted-call.ts";
import { readParameters } from "./parameters.ts";

/** What a client asks the hosted login for, checked. */
export interface AuthorizeRequest {
  readonly client: PoolClient;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly state: string | null;
  readonly nonce: string | null;
  /** PKCE's challenge, always S256. */
  readonly challenge: string | null;
}

/**
 * `refused`: shown to the user, since there is no address to trust. `error`: sent to the client, by
 * RFC 6749 (section 4.1.2.1).
 */
export type AuthorizeAnswer =
  | { readonly kind: "request"; readonly request: AuthorizeRequest }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "error"; readonly location: string };

/** The query of `oauth2/authorize` and `login`, checked. */
export function readAuthorizeRequest({ cognito, pool, query }: HostedCall): AuthorizeAnswer {
  const parameters = readParameters(query);
  if (parameters === null) return refused("A parameter is there twice.");
  const client = cognito.store.clients.find(parameters["client_id"] ?? "");
  if (client === null || client.pool !== pool.id)
    return refused("The client_id is not one of this user pool.");
  const redirectUri = parameters["redirect_uri"] ?? "";
  if (!client.callbackUrls.includes(redirectUri))
    return refused("The redirect_uri is not one of the client's callback URLs.");
  const state = parameters["state"] ?? null;
  const error = (name: string, why: string): AuthorizeAnswer => ({
    kind: "error",
    location: callbackLocation(redirectUri, state, { error: name, error_description: why }),
  });

  if (parameters["response_type"] !== "code")
    return error("unsupported_response_type", "response_type must be code");
  const scopes = scopesOf(client, parameters["scope"]);
  if (scopes === null) return error("invalid_scope", "a scope is not one of the client's");
  const challenge = parameters["code_challenge"] ?? null;
  const method = parameters["code_challenge_method"];
  if (challenge === null ? method !== undefined : method !== "S256")
    return error("invalid_request", "code_challenge_method must be S256");
  // 32 bytes in Base64url.
  if (challenge !== null && !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return error("invalid_request", "code_challenge is no S256 challenge");
  const nonce = parameters["nonce"] ?? null;
  return { kind: "request", request: { client, redirectUri, scopes, state, nonce, challenge } };
}

/** The client's callback with what it is told; `state` comes back as it was sent. */
export function callbackLocation(
  redirectUri: string,
  state: string | null,
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  return url.href;
}

/** All of the client's scopes when none are asked for; null when one is not the client's. */
function scopesOf(client: PoolClient, text: string | undefined): readonly Scope[] | null {
  if (text === undefined) return client.scopes;
  const asked = [...new Set(text.split(" "))];
  const scopes = client.scopes.filter((scope) => asked.includes(scope));
  return scopes.length === asked.length ? scopes : null;
}

function refused(why: string): AuthorizeAnswer {
  return { kind: "refused", why };
}
