import { keyFolder, userFolders } from "../home/home-folder.ts";
import { exposedKeys } from "../home/keys/exposed-keys.ts";
import { nodeDisk } from "../home/stores/node-disk.ts";
import { EXIT } from "../model/diagnostic.ts";
import type { OperationContext } from "./context.ts";

/** Warns when other users may read the keys of an app, with which they could read its secrets. */
export function warnOfExposedKeys(app: string, context: OperationContext): void {
  const [file, ...more] = exposedKeys(keyFolder(userFolders(context.env)), app, nodeDisk);
  if (file === undefined) return;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  context.emit({
    kind: "diagnostic",
    diagnostic: {
      severity: "warning",
      code: "KEY_EXPOSED",
      message: `Other users may read the key ${file}${others}`,
      why: "Who has the key and the home can read every secret of the app.",
      hint: `Run: chmod 600 ${[file, ...more].join(" ")}`,
      exit: EXIT.done,
    },
  });
}
