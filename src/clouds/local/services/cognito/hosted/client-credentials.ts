import type { PoolClient } from "../pools/pool-client.ts";
import { equalTexts } from "../sign-in/check-secret-hash.ts";
import type { TextMap } from "../stored-json.ts";
import type { HostedCall } from "./hosted-call.ts";

/**
 * The client that calls an endpoint, by HTTP Basic or by the form's `client_id` and
 * `client_secret`; null when it is unknown or its secret is wrong, missing or too many.
 */
export function authenticateClient(
  { cognito, pool, request }: HostedCall,
  form: TextMap,
): PoolClient | null {
  const basic = basicCredentials(request.headers.authorization);
  const id = basic?.id ?? form["client_id"] ?? "";
  const secret = basic?.secret ?? form["client_secret"] ?? null;
  const isContradictory = basic !== null && (form["client_id"] ?? id) !== id;
  const client = cognito.store.clients.find(id);
  if (client === null || client.pool !== pool.id || isContradictory) return null;
  if (client.secret === null) return secret === null ? client : null;
  return secret !== null && equalTexts(secret, client.secret) ? client : null;
}

function basicCredentials(
  header: string | undefined,
): { readonly id: string; readonly secret: string } | null {
  const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? null : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
