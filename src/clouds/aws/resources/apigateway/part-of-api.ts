import type { HandlerContext } from "../../../../engine/handler.ts";
import { AWS_TYPES } from "../../types.ts";
import { dependencyOutput } from "../dependency-output.ts";

/** What lies in an API is known by both ids. */
export interface PartOfApi {
  readonly api: string;
  readonly part: string;
}

/** The id of a part as state keeps it. */
export function partId({ api, part }: PartOfApi): string {
  return `${api}/${part}`;
}

/** The reverse of {@link partId}; null for anything else. */
export function parsePartId(id: string): PartOfApi | null {
  const at = id.indexOf("/");
  return at < 1 ? null : { api: id.slice(0, at), part: id.slice(at + 1) };
}

/** Id of the API that a part lies in, while its own id is unknown; null when there is none. */
export function apiOf(context: HandlerContext): string | null {
  return dependencyOutput(context, AWS_TYPES.api, "id");
}
