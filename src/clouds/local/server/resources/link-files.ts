import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../../../model/json.ts";
import { makeFolder } from "../../durable-file.ts";

/** Encrypts links so that the file alone says nothing. */
export type SealLinks = (links: Record<string, JsonObject>) => {
  readonly file: Uint8Array;
  readonly key: string;
};

/** Writes the links of one stage's functions to files that their bundles open at run time. */
export interface LinkFiles {
  /** The same file and key as long as `identity` stays the same. */
  place(
    functionName: string,
    identity: string,
    links: Readonly<Record<string, JsonObject>>,
  ): Promise<{ readonly file: string; readonly key: string }>;
}

/**
 * Every change of a function's links gets a file of a new name: instances of the old version, which
 * may read theirs late, find it until the server starts again. Files of an earlier server are of no
 * use, because its keys are gone.
 */
export async function openLinkFiles(folder: string, seal: SealLinks): Promise<LinkFiles> {
  await rm(folder, { recursive: true, force: true });
  const placed = new Map<string, Placed>();
  return {
    place: async (functionName, identity, links) => {
      const known = placed.get(functionName);
      if (known?.identity === identity) return known;
      const sealed = seal({ ...links });
      const name = createHash("sha256").update(sealed.file).digest("hex").slice(0, 16);
      const version = join(folder, functionName, name);
      await makeFolder(version);
      const file = join(version, "resource.enc");
      await writeFile(file, sealed.file, { mode: 0o600 });
      const versions = await dropOldest([...(known?.versions ?? []), version]);
      const entry = { identity, file, key: sealed.key, versions };
      placed.set(functionName, entry);
      return entry;
    },
  };
}

interface Placed {
  readonly identity: string;
  readonly file: string;
  readonly key: string;
  /** Folders of all versions that are kept, oldest first. */
  readonly versions: readonly string[];
}

/** A long `dev` makes many versions; no instance outlives this many of them. */
const VERSIONS_KEPT = 50;

async function dropOldest(versions: readonly string[]): Promise<readonly string[]> {
  const dropped = versions.slice(0, Math.max(0, versions.length - VERSIONS_KEPT));
  await Promise.all(dropped.map((version) => rm(version, { recursive: true, force: true })));
  return versions.slice(dropped.length);
}
