import { invalidParameter } from "../cognito-error.ts";

/** What a client sends to get what follows `last`. */
export function pageToken(last: string): string {
  return Buffer.from(last).toString("base64url");
}

/** What a page token stands behind; empty for the first page. */
export function readPageToken(token: string | null): string {
  if (token === null) return "";
  if (!/^[A-Za-z0-9_-]+$/.test(token)) throw invalidParameter("Invalid pagination token");
  return Buffer.from(token, "base64url").toString("utf8");
}
