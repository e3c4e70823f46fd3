import { DATA_HANDLER } from "../../support/stage-data.ts";

/** What is done to a stage, one after the other. The first three are deploys of one version of the app each. */
export const OPERATIONS = ["create", "update", "replace", "remove"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A version of the app, as files of a project. */
export interface Version {
  readonly files: Readonly<Record<string, string>>;
  /** What `GET /` answers. */
  readonly answer: string;
}

interface Choice {
  readonly text: string;
  readonly level: string;
  readonly archive: string;
  /** Options of the table. */
  readonly key: string;
}

const FIRST: Choice = {
  text: "one",
  level: "1",
  archive: "Archive",
  key: `{ fields: { id: "string" }, primaryIndex: { hashKey: "id" } }`,
};

/** Code and an option change. */
const SECOND: Choice = { ...FIRST, text: "two", level: "2" };

/** The table's key cannot be changed in place; a bucket goes and another comes. */
const THIRD: Choice = {
  ...SECOND,
  archive: "Vault",
  key: `{ fields: { id: "number" }, primaryIndex: { hashKey: "id" } }`,
};

/** An app of ten resources of every type that there is, as each deploy wants it. */
export const VERSIONS: Readonly<Record<Exclude<Operation, "remove">, Version>> = {
  create: versionOf(FIRST),
  update: versionOf(SECOND),
  replace: versionOf(THIRD),
};

function versionOf(choice: Choice): Version {
  return {
    files: { "scrim.config.ts": configOf(choice), "src/answer.ts": handlerOf(choice) },
    answer: `${choice.text} ${choice.level}`,
  };
}

function configOf({ level, archive, key }: Choice): string {
  return `/// <reference types="scrim/config" />
export default $config({
  app() {
    return { name: "ten", home: "local", removal: "remove" };
  },
  async run() {
    const files = new scrim.aws.Bucket("Files");
    const archive = new scrim.aws.Bucket("${archive}");
    const notes = new scrim.aws.Dynamo("Notes", ${key});
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", { handler: "src/answer.text", environment: { LEVEL: "${level}" } });
    api.route("GET /data", { handler: "src/answer.data", link: [files, archive, notes] });
    const job = new scrim.aws.Function("Job", { handler: "src/answer.text", url: true });
    return { url: api.url, job: job.url };
  },
});
`;
}

function handlerOf({ text }: Choice): string {
  return `export async function text() {
  return { statusCode: 200, body: "${text} " + (process.env.LEVEL ?? "") };
}

${DATA_HANDLER}`;
}
