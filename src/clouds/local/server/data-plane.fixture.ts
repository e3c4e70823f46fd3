import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDataPlane, type DataPlane } from "./data-plane.ts";

/**
 * A data plane on a temporary folder with an access key for each stage that is asked for:
 * `KEY-<stage key>`.
 */
export interface DataPlaneFixture {
  readonly plane: DataPlane;
  readonly folder: string;
  readonly endpoint: string;
  /** Closes the plane and opens it again on the same folder and port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const ACCOUNT = "000000000000";
const REGION = "us-east-1";

export function accessKeyOf(stageKey: string) {
  return { accessKeyId: `KEY-${stageKey}`, secretAccessKey: `secret of ${stageKey}` };
}

/** What an SDK client of a stage is made with. */
export function clientSettings(endpoint: string, stageKey: string) {
  return { endpoint, region: REGION, maxAttempts: 1, credentials: accessKeyOf(stageKey) };
}

export async function openPlane(folder: string, port: number | null): Promise<DataPlane> {
  return await createDataPlane({
    resolveAccessKey: (id) => {
      if (!id.startsWith("KEY-")) return null;
      const stageKey = id.slice("KEY-".length);
      return { stageKey, secret: accessKeyOf(stageKey).secretAccessKey };
    },
    folderOf: (stageKey) => join(folder, stageKey),
    port,
    region: REGION,
    account: ACCOUNT,
    // Whatever is logged is a bug: fail the run, not the request.
    log: (message) => {
      void Promise.reject(new Error(message));
    },
  });
}

export async function createDataPlaneFixture(): Promise<DataPlaneFixture> {
  const folder = await mkdtemp(join(tmpdir(), "scrim-data-plane-"));
  let plane = await openPlane(folder, null);
  const endpoint = `http://127.0.0.1:${plane.port}`;
  return {
    get plane() {
      return plane;
    },
    folder,
    endpoint,
    restart: async () => {
      const { port } = plane;
      await plane.close();
      plane = await openPlane(folder, port);
    },
    close: async () => {
      await plane.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
