import { peekClaims } from "./json-web-token.ts";

/** Id of the pool that a token claims to be from, or null; nothing of it is checked. */
export function claimedPool(token: string): string | null {
  const issuer = peekClaims(token)?.["iss"];
  return typeof issuer === "string" ? issuer.slice(issuer.lastIndexOf("/") + 1) : null;
}
