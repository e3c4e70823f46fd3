import { type DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";

/** The `code` of an error of the operating system; "" for any other error. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** What to throw for an error met in a folder: errors of the operating system become problems told to the user. */
export function diskFailure(error: unknown, location: string, verb: "read" | "write"): unknown {
  const code = errorCode(error);
  if (code === "") return error;
  if (verb === "read")
    return fail("HOME_UNREADABLE", `The folder ${location} cannot be read (${code})`, {
      hint: "Check that the folder belongs to you and that its disk is in order.",
      exit: EXIT.home,
    });
  if (code === "ENOSPC" || code === "EDQUOT")
    return fail("HOME_FULL", `There is no room left in ${location} (${code})`, {
      why: "What was recorded before is safe; nothing new is started until it can be recorded.",
      hint: "Free some space, then run the command again.",
      exit: EXIT.home,
    });
  return fail("HOME_UNWRITABLE", `The folder ${location} cannot be written to (${code})`, {
    why: "What was recorded before is safe; nothing new is started until it can be recorded.",
    hint: "Check that the folder belongs to you and that its disk is in order.",
    exit: EXIT.home,
  });
}

/** How link() fails where a file system makes no hard links. */
export const WITHOUT_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EXDEV",
]);

/** The disk cannot keep two writers apart. */
export function withoutLinks(location: string, code: string): DiagnosticError {
  return fail("HOME_WITHOUT_LINKS", `The disk of ${location} does not make hard links (${code})`, {
    why: "A hard link is what keeps two processes from taking the same stage.",
    hint: "Put the home on another disk with SCRIM_HOME, such as the one of your home directory.",
    exit: EXIT.home,
  });
}
