import { homeFolder, keyFolder, userFolders } from "../home/home-folder.ts";
import { StoredKeyRing } from "../home/keys/stored-key-ring.ts";
import { type OpenHome, openDirectoryHome } from "../home/open-home.ts";
import { DirectoryStore } from "../home/stores/directory.ts";
import { nodeDisk } from "../home/stores/node-disk.ts";
import type { OperationContext } from "./context.ts";

/** Opens the home that is kept on this machine. Nothing is written until something is recorded. */
export function openHome(context: OperationContext): OpenHome {
  const folders = userFolders(context.env);
  return openDirectoryHome(homeFolder(folders), {
    clock: context.clock,
    random: context.random,
    keys: new StoredKeyRing(
      new DirectoryStore(keyFolder(folders), nodeDisk),
      context.random,
      context.clock,
    ),
  });
}
