import type { IncomingMessage } from "node:http";
import type { Cognito } from "../cognito.ts";
import type { UserPool } from "../pools/user-pool.ts";

/** One request to the pages and OAuth endpoints of a pool. */
export interface HostedCall {
  readonly cognito: Cognito;
  readonly pool: UserPool;
  readonly request: IncomingMessage;
  /** Of the query, as it was sent. */
  readonly query: string;
  readonly body: Buffer;
}

/** What is answered. */
export interface HostedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** The path below which everything of a pool lies, without a slash at the end. */
export function basePath(pool: UserPool): string {
  return `/${pool.id}`;
}

export function redirect(location: string, headers: HostedReply["headers"] = {}): HostedReply {
  return { status: 302, headers: { location, ...headers }, body: "" };
}

/** An answer in JSON of the OAuth endpoints. */
export function json(
  status: number,
  value: unknown,
  headers: HostedReply["headers"] = {},
): HostedReply {
  return {
    status,
    headers: { "content-type": "application/json;charset=UTF-8", ...headers },
    body: JSON.stringify(value),
  };
}
