import { request } from "node:http";
import { join } from "node:path";
import type { ResourceAnswer, ServerInfo } from "../../src/clouds/local/control-api.ts";
import { readServerInfo } from "../../src/clouds/local/server-info.ts";
import type { StageReading } from "../../src/home/journal.ts";
import { readStage } from "../../src/home/log/read-stage.ts";
import { stagePlace } from "../../src/home/log/stage-place.ts";
import { DirectoryStore } from "../../src/home/stores/directory.ts";
import { nodeDisk } from "../../src/home/stores/node-disk.ts";
import { stageKey } from "../../src/model/stage-key.ts";

/** A stage of one home, looked at from outside. */
export interface StageOfHome {
  readonly home: string;
  readonly app: string;
  readonly stage: string;
}

/** What the log of a stage says. */
export async function recordedStage({ home, app, stage }: StageOfHome): Promise<StageReading> {
  return readStage(stagePlace(new DirectoryStore(home, nodeDisk), app, stage));
}

/** What the local cloud really has of a stage. Fails where no server answers. */
export async function realResources(of: StageOfHome): Promise<readonly ResourceAnswer[]> {
  const path = `/v1/stages/${encodeURIComponent(stageKey(of.app, of.stage))}/resources`;
  const text = await askServer(await serverOf(of.home), path);
  return JSON.parse(text) as readonly ResourceAnswer[];
}

/** The server of a home as its file tells. */
export async function serverOf(home: string): Promise<ServerInfo> {
  const info = await readServerInfo(join(home, "local/server.json"));
  if (info === null) throw new Error(`no server has the home ${home}`);
  return info;
}

/** The folder in which the local cloud keeps all of a stage. */
export function realFolder({ home, app, stage }: StageOfHome): string {
  return join(home, "local", stageKey(app, stage));
}

function askServer(server: ServerInfo, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const sent = request(
      { socketPath: server.socket, path, headers, agent: false },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString("utf8");
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${response.statusCode} ${text}`));
      },
    );
    sent.once("error", reject);
    sent.end();
  });
}
