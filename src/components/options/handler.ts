import type { Parse } from "./parse.ts";

/** Extensions that show that the export was forgotten: `src/notes.ts`. */
const EXTENSIONS = new Set(["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"]);

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * A handler, `<path>.<export>`: a path without extension below the config's folder, then the name of an export.
 * Whether the file and the export exist is for the bundler to say. A leading `./` is dropped.
 */
export const handler: Parse<string> = (value, at) => {
  if (typeof value !== "string") throw at.invalid(value, 'a string such as "src/notes.list"');
  const problem = problemOf(value);
  if (problem === null) return value.replace(/^(?:\.\/)+/, "");
  throw at.problem("HANDLER_INVALID", `${at} is ${JSON.stringify(value)}`, {
    why: problem,
    hint: 'Write "src/notes.list" for the export `list` of src/notes.ts.',
  });
};

function problemOf(value: string): string | null {
  const dot = value.lastIndexOf(".");
  const path = value.slice(0, Math.max(dot, 0));
  const exported = value.slice(dot + 1);
  if (value.includes("\0")) return "It holds a NUL character.";
  if (value.includes("\\")) return "Paths are written with forward slashes.";
  if (/^(?:[A-Za-z]:|\/|[A-Za-z][\w+.-]*:\/\/|file:)/.test(value)) {
    return "The path must be relative to the folder of the config.";
  }
  if (value.split("/").includes("..")) return "The path must stay below the folder of the config.";
  if (dot === -1 || path === "" || path.endsWith("/")) {
    return "It must be a path, a dot and the name of an export.";
  }
  if (EXTENSIONS.has(exported)) return "The name of the export is missing behind the file.";
  if (!IDENTIFIER.test(exported)) return "What follows the last dot must be the name of an export.";
  if (path.split("/").some((part) => part === "" || part.trim() !== part)) {
    return "A part of the path is empty or begins or ends with white space.";
  }
  return null;
}
