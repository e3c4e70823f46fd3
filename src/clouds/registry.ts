import { fail } from "../model/diagnostic.ts";
import type { Clock } from "../model/world.ts";
import type { Cloud } from "./cloud.ts";

/** The home, and with it the cloud, of a project that does not say. */
export const DEFAULT_HOME = "local";

/** What a cloud is opened with. */
export interface CloudOptions {
  /** The folder that this machine's home lies in; the local cloud keeps its own data there too. */
  readonly homeFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly version: string;
  /** The zip of a bundle that this command has built, by its hash. */
  readonly readBundle: (hash: string) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
}

/**
 * Opens the cloud that a home belongs to; each is imported only when it is used.
 *
 * @throws DiagnosticError `HOME_UNAVAILABLE` (exit 2)
 */
export async function openCloud(home: string, options: CloudOptions): Promise<Cloud> {
  if (home === DEFAULT_HOME) {
    const { openLocalCloud } = await import("./local/local-cloud.ts");
    return openLocalCloud(options);
  }
  throw fail("HOME_UNAVAILABLE", `This version cannot deploy to the home ${JSON.stringify(home)}`, {
    why: "Only the cloud built into the tool is available so far.",
    hint: 'Set home: "local" in scrim.config.ts.',
  });
}
