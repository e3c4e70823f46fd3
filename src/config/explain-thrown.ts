import type { Locator } from "../components/call-site.ts";
import { DiagnosticError, fail } from "../model/diagnostic.ts";

/** Turns what the user's code threw into a problem with its place in the user's source. */
export function explainThrown(what: string, thrown: unknown, locator: Locator): DiagnosticError {
  if (thrown instanceof DiagnosticError) return thrown;
  if (!(thrown instanceof Error)) {
    return fail(
      "CONFIG_THREW",
      `${what} threw ${typeof thrown === "string" ? thrown : "a value that is no Error"}`,
    );
  }
  const source = locator.locate(thrown.stack ?? "", null);
  const hint = hintFor(thrown);
  return fail(isImport(thrown) ? "CONFIG_IMPORT_FAILED" : "CONFIG_THREW", messageOf(what, thrown), {
    ...(hint === null ? {} : { hint }),
    ...(source === null ? {} : { source }),
  });
}

function messageOf(what: string, thrown: Error): string {
  const name = thrown.name === "Error" ? "" : `${thrown.name}: `;
  // Node adds where the import stands, which is the bundle and tells the user nothing.
  const [message = ""] = thrown.message.split(" imported from ");
  return `${what} threw ${name}${message}`;
}

function isImport(thrown: Error): boolean {
  return (
    "code" in thrown && typeof thrown.code === "string" && /MODULE|PACKAGE_PATH/.test(thrown.code)
  );
}

function hintFor(thrown: Error): string | null {
  if (isImport(thrown)) return "Install the package in the project, or check its name.";
  if (/^sst is not defined/.test(thrown.message)) return "The namespace is called `scrim` here.";
  return null;
}
