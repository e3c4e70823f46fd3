import { issuerOf } from "../cognito.ts";
import { SCOPES } from "../pools/pool-client.ts";
import { basePath, type HostedCall, type HostedReply, json } from "./hosted-call.ts";

/** `GET .well-known/jwks.json`: the pool's public key. */
export async function jsonWebKeys({ cognito, pool }: HostedCall): Promise<HostedReply> {
  const key = await cognito.keys.of(pool.id);
  const { n, e } = key.publicKey.export({ format: "jwk" });
  return json(200, { keys: [{ alg: "RS256", e, kid: key.id, kty: "RSA", n, use: "sig" }] });
}

/** `GET .well-known/openid-configuration`: the issuer is AWS's, the addresses are local. */
export async function openIdConfiguration({ cognito, pool }: HostedCall): Promise<HostedReply> {
  const base = `${cognito.endpoint()}${basePath(pool)}`;
  const hosted = {
    authorization_endpoint: `${base}/oauth2/authorize`,
    end_session_endpoint: `${base}/logout`,
    revocation_endpoint: `${base}/oauth2/revoke`,
    token_endpoint: `${base}/oauth2/token`,
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    userinfo_endpoint: `${base}/oauth2/userInfo`,
  };
  return json(200, {
    issuer: issuerOf(pool),
    jwks_uri: `${base}/.well-known/jwks.json`,
    ...(pool.hostedLogin ? hosted : {}),
    id_token_signing_alg_values_supported: ["RS256"],
    response_types_supported: ["code"],
    scopes_supported: SCOPES,
    subject_types_supported: ["public"],
  });
}
