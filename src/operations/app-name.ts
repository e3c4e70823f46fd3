import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fail } from "../model/diagnostic.ts";
import type { OperationContext } from "./context.ts";

/** As app() in a config takes it. */
const APP_NAME = /^[a-zA-Z][a-zA-Z0-9-]{0,39}$/;

/**
 * The name of a new app: the given one, else what is typed, else that of package.json or the folder.
 *
 * @param ask null where nobody is to be asked
 * @throws DiagnosticError `APP_NAME_INVALID` (exit 2)
 */
export async function chooseAppName(
  given: string | null,
  folder: string,
  ask: OperationContext["ask"],
): Promise<string> {
  if (given !== null) return checkedName(given);
  const suggested = nameFor(folder);
  if (ask === null) return suggested;
  const answer = await ask({ text: `Name of the app [${suggested}]: `, hidden: false });
  return answer.trim() === "" ? suggested : checkedName(answer.trim());
}

/** The name in package.json, else the folder's, with what app names cannot hold as hyphens. */
function nameFor(folder: string): string {
  for (const text of [packageName(folder), basename(folder)]) {
    const name = text
      .replace(/^@[^/]*\//, "")
      .replace(/[^a-zA-Z0-9-]+/g, "-")
      .replace(/^[^a-zA-Z]+/, "")
      .slice(0, 40)
      .replace(/-+$/, "");
    if (name !== "") return name;
  }
  return "my-app";
}

function packageName(folder: string): string {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { name } = parsed as { readonly name?: unknown };
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}

function checkedName(name: string): string {
  if (APP_NAME.test(name)) return name;
  throw fail("APP_NAME_INVALID", `${JSON.stringify(name)} is not a name for an app`, {
    why: "A name holds letters, digits and hyphens, at most 40, and starts with a letter.",
    hint: "Run scrim init with another name, such as scrim init notes.",
  });
}
