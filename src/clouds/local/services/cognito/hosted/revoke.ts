import { authenticateClient } from "./client-credentials.ts";
import { type HostedCall, type HostedReply, json } from "./hosted-call.ts";
import { readForm } from "./parameters.ts";

/** `POST oauth2/revoke`: ends a refresh token and the access tokens that it made. */
export async function revoke(call: HostedCall): Promise<HostedReply> {
  const form = readForm(call.request.headers["content-type"], call.body);
  const token = form?.["token"];
  if (form === null || token === undefined) return json(400, { error: "invalid_request" });
  const client = authenticateClient(call, form);
  if (client === null) return json(400, { error: "invalid_client" });
  const { store } = call.cognito;
  const grant = store.grants.findByRefreshToken(token);
  if (grant !== null && grant.client !== client.id)
    return json(400, { error: "unauthorized_client" });
  if (grant !== null) await store.commit(() => store.grants.revoke(grant.id));
  return { status: 200, headers: {}, body: "" };
}
