import { join } from "node:path";
import { encodeName } from "../../model/stage-key.ts";
import type { Disk } from "../stores/disk.ts";
import { errorCode } from "../stores/disk-failure.ts";

/** The files of an app's keys that not only their owner may read; none where the folder cannot be looked into. */
export function exposedKeys(keyFolder: string, app: string, disk: Disk): readonly string[] {
  const folder = join(keyFolder, encodeName("a", app));
  try {
    return disk
      .list(folder)
      .filter(({ isFolder }) => !isFolder)
      .map(({ name }) => join(folder, name))
      .filter((path) => disk.status(path).readableByOthers);
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return [];
  }
}
