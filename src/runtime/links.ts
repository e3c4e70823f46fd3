import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openLinks } from "./open-links.ts";

/** Properties of links, by name; frozen. */
type Links = Readonly<Record<string, unknown>>;

const PREFIX = "SCRIM_RESOURCE_";

let sealed: Links | undefined;

/**
 * One link. `SCRIM_RESOURCE_<Name>` (JSON) comes first, which is how tests and shells are linked; then the sealed
 * file that `SCRIM_RESOURCES_FILE` names, relative to the bundle.
 *
 * @throws Error when there is none of that name
 */
export function linked(name: string): unknown {
  const text = process.env[PREFIX + name];
  if (text !== undefined) return parse(text, PREFIX + name);
  const links = sealedLinks();
  if (Object.hasOwn(links, name)) return links[name];
  if (linkedNames().length === 0) {
    throw new Error(
      `Resource.${name} was read outside a function. Links exist only where scrim runs the code; in a test, set ${PREFIX}${name} to the link's JSON.`,
    );
  }
  throw new Error(
    `"${name}" is not linked to this function. Add it to the function's link: [...] in scrim.config.ts and deploy. Linked are: ${linkedNames().join(", ")}.`,
  );
}

export function linkedNames(): string[] {
  const named = Object.keys(process.env).filter((key) => key.startsWith(PREFIX));
  return [
    ...new Set([...Object.keys(sealedLinks()), ...named.map((key) => key.slice(PREFIX.length))]),
  ];
}

function sealedLinks(): Links {
  sealed ??= readSealedLinks();
  return sealed;
}

function readSealedLinks(): Links {
  const { SCRIM_RESOURCES_FILE: file, SCRIM_KEY: key } = process.env;
  if (!file) return {};
  if (!key) throw new Error("SCRIM_RESOURCES_FILE is set but SCRIM_KEY is not. Deploy again.");
  const path = resolve(dirname(fileURLToPath(import.meta.url)), file);
  return parse(openLinks(readFileSync(path), key), file) as Links;
}

function parse(text: string, from: string): unknown {
  try {
    return JSON.parse(text, (_, value) => Object.freeze(value));
  } catch {
    // The parser's own message would quote the text, which may be a secret.
    throw new Error(`${from} does not hold JSON.`);
  }
}
