import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkOf } from "../components/link-of.ts";
import {
  ComponentComputed,
  type ComponentNode,
  ComponentRef,
  type Link,
  type NodeValue,
} from "../components/node.ts";
import { Computed, Ref, Sensitive } from "../model/value.ts";

/** The file in a project that declares what `Resource` has. */
export const SCRIM_ENV_FILE = "scrim-env.d.ts";

/**
 * The text of `scrim-env.d.ts`: the type of `Resource`, one member for each component that can be linked. The same
 * nodes give the same bytes.
 */
export function scrimEnvText(nodes: readonly ComponentNode[]): string {
  const linkable = nodes.filter((node) => node.kind !== "Auth");
  const links = linkable.map(linkOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    "// Written by scrim from scrim.config.ts. Changes are lost.",
    'declare module "scrim" {',
    "  export interface Resource {",
    ...links.map(memberOf),
    "  }",
    "}",
    'import "scrim";',
    "export {};",
    "",
  ].join("\n");
}

/**
 * Writes `scrim-env.d.ts` into the project's folder when it would change.
 *
 * @returns whether it was written
 */
export function writeScrimEnv(folder: string, nodes: readonly ComponentNode[]): boolean {
  const file = join(folder, SCRIM_ENV_FILE);
  const text = scrimEnvText(nodes);
  if (readText(file) === text) return false;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
  return true;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function memberOf(link: Link): string {
  const properties = Object.entries(link.properties)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${keyText(key)}: ${typeOf(value)};`);
  return `    ${link.name}: { ${[`type: ${JSON.stringify(link.type)};`, ...properties].join(" ")} };`;
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** The type of a property as far as it is certain before anything is deployed. */
function typeOf(value: NodeValue): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  // Every output of every component is a string.
  if (value instanceof ComponentRef || value instanceof Ref) return "string";
  if (value instanceof ComponentComputed) return value.resultType;
  if (value instanceof Sensitive) return typeOf(value.value);
  if (value instanceof Computed) return "unknown";
  if (Array.isArray(value)) return arrayType(value);
  const members = Object.entries(value as Readonly<Record<string, NodeValue>>)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${keyText(key)}: ${typeOf(member)};`);
  return members.length === 0 ? "{}" : `{ ${members.join(" ")} }`;
}

function arrayType(items: readonly NodeValue[]): string {
  const types = [...new Set(items.map(typeOf))].sort();
  return types.length === 0 ? "unknown[]" : `(${types.join(" | ")})[]`;
}
