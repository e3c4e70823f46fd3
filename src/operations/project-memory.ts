import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What `.scrim/memory.json` remembers of the last use of each stage, so that `remove`, `logs` and others work when
 * the config is broken or gone. A convenience: nothing depends on it being there.
 */
export interface ProjectMemory {
  readonly app: string;
  /** Home of each stage by its exact name. */
  readonly homes: ReadonlyMap<string, string>;
}

/** Null when there is no memory or it cannot be read as one. */
export function readProjectMemory(projectRoot: string): ProjectMemory | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(memoryFile(projectRoot), "utf8"));
    const { version, app, homes } = parsed as Record<string, unknown>;
    if (version !== 1 || typeof app !== "string" || !Array.isArray(homes)) return null;
    return { app, homes: new Map(homes as [string, string][]) };
  } catch {
    return null;
  }
}

/** Remembers where a stage lives. Never throws: a read-only project folder must not stop a deploy. */
export function rememberStage(projectRoot: string, app: string, stage: string, home: string): void {
  const known = readProjectMemory(projectRoot);
  if (known?.app === app && known.homes.get(stage) === home) return;
  const homes = new Map(known?.app === app ? known.homes : []);
  homes.set(stage, home);
  const text = `${JSON.stringify({ version: 1, app, homes: [...homes] }, null, 2)}\n`;
  try {
    mkdirSync(join(projectRoot, ".scrim"), { recursive: true });
    const temporary = `${memoryFile(projectRoot)}.${process.pid}`;
    writeFileSync(temporary, text);
    renameSync(temporary, memoryFile(projectRoot));
  } catch {
    // The next command finds the stage through the config instead.
  }
}

function memoryFile(projectRoot: string): string {
  return join(projectRoot, ".scrim", "memory.json");
}
