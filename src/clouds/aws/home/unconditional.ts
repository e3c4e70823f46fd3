import { type DiagnosticError, EXIT, fail } from "../../../model/diagnostic.ts";

/** The problem of a store that overwrites what it was asked to create. */
export function unconditional(location: string): DiagnosticError {
  return fail("HOME_UNCONDITIONAL", `${location} cannot be a home: it ignores If-None-Match`, {
    why: "The store overwrote an object that it was asked to create only if absent. Two deploys at once would overwrite each other's state.",
    hint: "Use a store with conditional writes, such as Amazon S3, Cloudflare R2 or a recent MinIO.",
    exit: EXIT.home,
  });
}
