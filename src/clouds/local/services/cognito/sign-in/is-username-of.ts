import type { Cognito } from "../cognito.ts";
import type { PoolClient } from "../pools/pool-client.ts";

/** Whether a login, or the username itself, is that of the user whom a challenge is for. */
export function isUsernameOf(
  cognito: Cognito,
  client: PoolClient,
  login: string,
  username: string,
): boolean {
  const found = cognito.store.users.find(client.pool, login)?.username ?? login.toLowerCase();
  return found === username;
}
