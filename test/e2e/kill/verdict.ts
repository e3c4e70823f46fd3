import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { integrityProblems } from "../../../src/engine/integrity.ts";
import { eventually, isListening, processesNaming } from "../../support/processes.ts";
import {
  realFolder,
  realResources,
  recordedStage,
  type StageOfHome,
} from "../../support/reality.ts";
import { openData } from "../../support/stage-data.ts";

/** What a stage must show to whoever uses it. */
export interface Shown {
  readonly url: string;
  readonly job: string;
  /** What `GET /` answers. */
  readonly answer: string;
}

/**
 * Compares what is recorded with what there is: the same resources, nothing open, nobody holding the stage, and every
 * address answers.
 *
 * @returns the serial
 */
export async function assertSound(stage: StageOfHome, shown: Shown): Promise<number> {
  const { snapshot, head } = await recordedStage(stage);
  expectSame("problems of the record", integrityProblems(snapshot), []);
  expectSame("holder", head.holder, null);
  expectSame("open intents", snapshot.openIntents, []);
  const real = await realResources(stage);
  expectSame(
    "problems of resources",
    real.flatMap(({ problem }) => problem ?? []),
    [],
  );
  const live = snapshot.resources.filter(({ status }) => status === "live");
  const names = namesOf(live.map(({ type, id }) => ({ type, name: id })));
  expectSame("statuses", live.length, snapshot.resources.length);
  expectSame("resources", namesOf(real), names);
  expectSame("count", names.length, 10);
  expectSame("answer", await textOf(shown.url), shown.answer);
  expectSame("answer of the function", await textOf(shown.job), `${shown.answer.split(" ")[0]} `);
  const kept = names.filter((name) => /^local:(bucket|table) /.test(name));
  expectSame("buckets and tables", await dataOf(`${shown.url}/data`), kept);
  return snapshot.serial;
}

/** After a removal: no record, no folder, no port and no process. */
export async function assertNothingLeft(
  stage: StageOfHome,
  ports: readonly number[],
): Promise<void> {
  const { snapshot, head } = await recordedStage(stage);
  expectSame("records", snapshot.resources, []);
  expectSame("open intents", snapshot.openIntents, []);
  expectSame("holder", head.holder, null);
  expectSame("folder of the stage", existsSync(realFolder(stage)), false);
  const left = readdirSync(join(stage.home, "local")).filter((name) => /^(a-|removing)/.test(name));
  expectSame("folders", left, []);
  for (const port of ports) expectSame(`listener on ${port}`, await isListening(port), false);
  await eventually(() => processesNaming(stage.home).length === 0);
  expectSame("processes", processesNaming(stage.home), []);
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** What the data services have, whatever the registry says. */
async function dataOf(url: string): Promise<readonly string[]> {
  const data = await openData(url);
  try {
    return await data.names();
  } finally {
    data.close();
  }
}

function namesOf(resources: readonly { readonly type: string; readonly name: string }[]): string[] {
  return resources.map(({ type, name }) => `${type} ${name}`).sort();
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${what}: ${is} and not ${should}`);
}
