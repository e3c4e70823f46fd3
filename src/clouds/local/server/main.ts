import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { homeId } from "../../../home/home-identity.ts";
import { DirectoryStore } from "../../../home/stores/directory.ts";
import { nodeDisk } from "../../../home/stores/node-disk.ts";
import { sealLinks } from "../../../runtime/seal-links.ts";
import { systemClock } from "../../../system/clock.ts";
import { CONTROL_PROTOCOL } from "../control-api.ts";
import { createDataPlane } from "./data-plane.ts";
import { runServer } from "./process/run-server.ts";
import { createStageHost } from "./stages/stage-host.ts";

declare const SCRIM_VERSION: string | undefined;

const random = { bytes: (length: number) => randomBytes(length) };

await runServer(
  {
    version: typeof SCRIM_VERSION === "string" ? SCRIM_VERSION : "0.0.0-source",
    protocol: CONTROL_PROTOCOL,
    readHomeId: (homeFolder) =>
      homeId(new DirectoryStore(homeFolder, nodeDisk), random, systemClock),
    // The build puts the three processes of the local cloud side by side.
    createStageHost: (log) =>
      createStageHost({ runnerEntry: fileURLToPath(new URL("./runner.js", import.meta.url)), log }),
    createDataServices: createDataPlane,
    sealLinks,
  },
  process.argv.slice(2),
);
