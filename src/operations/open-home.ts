import { openSite } from "../clouds/registry.ts";
import { NO_SETTINGS, type Site } from "../clouds/site.ts";
import { homeFolder, keyFolder, userFolders } from "../home/home-folder.ts";
import { openKeyFolder } from "../home/keys/stored-key-ring.ts";
import { type OpenHome, openHome as openStoredHome } from "../home/open-home.ts";
import type { OperationContext } from "./context.ts";
import type { Location } from "./locate.ts";

/** Which home is meant, and what tells how to get to it. */
export type HomeChoice = Pick<Location, "home" | "config" | "env">;

/** A home, and the way to the cloud that its stages are deployed to. */
export interface OpenedHome {
  readonly home: OpenHome;
  readonly site: Site;
}

/**
 * Opens a home and the way to its cloud. Nothing is written until something is recorded.
 *
 * @throws DiagnosticError of the account that the home is in (exit 4)
 */
export async function openHomeAndSite(
  choice: HomeChoice,
  context: OperationContext,
): Promise<OpenedHome> {
  const { clock, random } = context;
  const folders = userFolders(context.env);
  const site = await openSite(choice.home, {
    homeFolder: homeFolder(folders),
    machineKeys: openKeyFolder(keyFolder(folders), random, clock),
    env: context.env,
    configEnv: choice.env,
    clock,
    random,
    settings: choice.config?.app.providers ?? NO_SETTINGS,
  });
  return { home: openStoredHome({ store: site.store, keys: site.keys, clock, random }), site };
}

/** Opens only the home. @throws DiagnosticError of the account that the home is in (exit 4) */
export async function openHome(choice: HomeChoice, context: OperationContext): Promise<OpenHome> {
  return (await openHomeAndSite(choice, context)).home;
}
