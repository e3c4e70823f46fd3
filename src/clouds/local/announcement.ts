import { EXIT, type ExitCode } from "../../model/diagnostic.ts";

/** What a starting server tells the one that started it: one line of JSON on an inherited pipe. */
export type Announcement =
  /** Every stage answers. */
  | { readonly kind: "ready" }
  /** Another server has the home. */
  | { readonly kind: "lost" }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly why?: string;
      readonly hint?: string;
      readonly exit?: ExitCode;
    };

/** Reads the line; null when the server ended without one. */
export function parseAnnouncement(text: string): Announcement | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { kind, code, message, why, hint, exit } = value as Record<string, unknown>;
  if (kind === "ready" || kind === "lost") return { kind };
  if (kind !== "failed" || typeof code !== "string" || typeof message !== "string") return null;
  const known = Object.values(EXIT).find((each) => each === exit);
  return {
    kind,
    code,
    message,
    ...(typeof why === "string" ? { why } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
    ...(known === undefined ? {} : { exit: known }),
  };
}
