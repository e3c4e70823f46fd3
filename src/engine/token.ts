import { hash } from "node:crypto";
import type { Urn } from "../model/urn.ts";

/** Everything a token is made of. Neither clock nor chance, so that a repeat after a crash has the same token. */
export interface TokenParts {
  readonly lineage: string;
  readonly app: string;
  readonly stage: string;
  readonly urn: Urn;
  readonly generation: number;
}

/** 64 hex digits, which is the most that EC2's ClientToken takes. */
export function tokenOf({ lineage, app, stage, urn, generation }: TokenParts): string {
  const text = ["token-v1", lineage, app, stage, urn, String(generation)].join("\0");
  return hash("sha256", text);
}
