import { stat } from "node:fs/promises";
import { hasCode } from "../../durable-file.ts";

/**
 * How often the home is looked at; a deleted home lets its server go within about twice that time.
 */
const LOOK_EVERY_MS = 1_000;

/**
 * Calls `onGone` once when the folder is no longer there or has become another folder.
 *
 * @returns ends the watch
 */
export async function watchHome(folder: string, onGone: () => void): Promise<() => void> {
  const first = await stat(folder);
  const timer = setInterval(() => {
    stat(folder).then(
      (now) => now.ino !== first.ino && gone(),
      (error: unknown) => hasCode(error, "ENOENT") && gone(),
    );
  }, LOOK_EVERY_MS);
  timer.unref();
  const gone = () => {
    clearInterval(timer);
    onGone();
  };
  return () => clearInterval(timer);
}
