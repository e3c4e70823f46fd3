import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathsIn } from "./tree-digest.ts";

/** Every spelling in which a text might be written somewhere, its own included. */
export function spellingsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  return [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(text),
    new URLSearchParams([["", text]]).toString().slice(1),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => base64Within(bytes, shift)),
  ];
}

/** What always stands in base64 where `shift` bytes, whatever they are, come before: the ends depend on neighbors. */
function base64Within(bytes: Buffer, shift: number): readonly string[] {
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  const whole = shifted.subarray(0, shifted.length - (shifted.length % 3)).toString("base64");
  const within = whole.slice(shift === 0 ? 0 : 4);
  return [within, within.replaceAll("+", "-").replaceAll("/", "_")];
}

/** In which of several texts a secret can be found, in any spelling; for a test that wants none. */
export function tracesIn(texts: ReadonlyMap<string, Buffer>, secret: string): readonly string[] {
  const spellings = spellingsOf(secret);
  return [...texts]
    .filter(([, bytes]) => spellings.some((spelling) => bytes.includes(spelling)))
    .map(([name]) => name);
}

/** Every file below a folder, and every name in it. */
export function textsIn(folder: string): Map<string, Buffer> {
  const texts = new Map<string, Buffer>();
  for (const path of pathsIn(folder)) {
    texts.set(`name ${path}`, Buffer.from(path));
    const content = readOrNull(join(folder, path));
    if (content !== null) texts.set(path, content);
  }
  return texts;
}

/** Command line and environment of processes, as every user of the same name sees them. */
export function textsOfProcesses(pids: readonly number[]): Map<string, Buffer> {
  const texts = new Map<string, Buffer>();
  for (const pid of pids) {
    for (const file of ["cmdline", "environ"]) {
      const content = readOrNull(`/proc/${pid}/${file}`);
      if (content !== null) texts.set(`${pid} ${file}`, content);
    }
  }
  return texts;
}

/** The processes that a process started, and those that they started. Empty on systems without /proc. */
export function descendantsOf(pid: number): readonly number[] {
  const children = parents().filter(([, parent]) => parent === pid);
  return children.flatMap(([child]) => [child, ...descendantsOf(child)]);
}

function parents(): readonly (readonly [pid: number, parent: number])[] {
  return readdirOrNone("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const status = readOrNull(`/proc/${name}/status`)?.toString() ?? "";
      return [Number(name), Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0)] as const;
    });
}

/** What a test compares instead of a secret, so that a failure does not print it either. */
export function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    // A folder, or a process that has ended.
    return null;
  }
}

function readdirOrNone(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
