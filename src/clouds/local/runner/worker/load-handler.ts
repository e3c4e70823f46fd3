import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A handler as Lambda calls it. Returns a promise, or calls back, or neither. */
export type Handler = (
  event: unknown,
  context: unknown,
  callback: (error?: unknown, result?: unknown) => void,
) => unknown;

/** Lambda tries these, in this order. */
const EXTENSIONS = [".mjs", ".js", ".cjs"];

/**
 * Imports a bundle and takes out the handler, `index.<export>` or `index.<object>.<member>`.
 *
 * @throws Error whose message begins with Lambda's name for the problem, or whatever the module threw
 */
export async function loadHandler(codeFolder: string, handler: string): Promise<Handler> {
  const [file, ...members] = handler.split(".");
  const path = EXTENSIONS.map((extension) => join(codeFolder, `${file}${extension}`)).find(
    existsSync,
  );
  if (path === undefined) {
    throw new Error(`Runtime.ImportModuleError: there is no ${file}.mjs in ${codeFolder}`);
  }
  // Stack traces then name the user's own files. Without a map beside the bundle this would only cost time.
  if (existsSync(`${path}.map`)) process.setSourceMapsEnabled(true);
  const exports: unknown = await import(pathToFileURL(path).href);
  const found = members.reduce<unknown>(memberOf, exports);
  if (found === undefined) {
    throw new Error(`Runtime.HandlerNotFound: ${handler} is undefined or not exported`);
  }
  if (!isHandler(found)) throw new Error(`Runtime.HandlerNotFound: ${handler} is not a function`);
  return found;
}

/** CommonJS exports that Node could not name are members of `default`. */
function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null)
    return undefined;
  if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  const fallback: unknown = Object.hasOwn(value, "default") ? Reflect.get(value, "default") : null;
  if ((typeof fallback !== "object" && typeof fallback !== "function") || fallback === null) {
    return undefined;
  }
  return Object.hasOwn(fallback, name) ? Reflect.get(fallback, name) : undefined;
}

function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}
