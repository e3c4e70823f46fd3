import { DirectoryStore } from "../../home/stores/directory.ts";
import { nodeDisk } from "../../home/stores/node-disk.ts";
import type { Site, SiteOptions } from "../site.ts";

/** The home in a folder of this machine, which is made at the first write. */
export function openLocalSite({ homeFolder, machineKeys, env, clock }: SiteOptions): Site {
  return {
    store: new DirectoryStore(homeFolder, nodeDisk),
    keys: machineKeys,
    openCloud: async (options) => {
      const { openLocalCloud } = await import("./local-cloud.ts");
      return openLocalCloud({ ...options, homeFolder, env, clock });
    },
  };
}
