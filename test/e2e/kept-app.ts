import { DATA_HANDLER } from "../support/stage-data.ts";

/** An app with data, as a test wants it. Left out: the plainest. */
export interface KeptApp {
  readonly removal?: "remove" | "retain" | "retain-all";
  readonly protect?: boolean;
  /** Name of the table's component; null: the app has none. */
  readonly table?: string | null;
  /** Earlier names of the table's component. */
  readonly aliases?: readonly string[];
  /** Type of the table's key. */
  readonly key?: "string" | "number";
  /** Whether there is a route `GET /extra`. */
  readonly extra?: boolean;
  /** Whether the config defines nothing at all. */
  readonly empty?: boolean;
}

/** The files of such an app. `GET /` answers "here"; `GET /data` is for `openData`. */
export function keptApp(app: KeptApp): Readonly<Record<string, string>> {
  return {
    "scrim.config.ts": `/// <reference types="scrim/config" />
export default $config({
  app() {
    return {
      name: "kept",
      home: "local",
      removal: "${app.removal ?? "remove"}",
      protect: ${app.protect ?? false},
    };
  },
  async run() {
${app.empty === true ? "" : componentsOf(app)}  },
});
`,
    "src/kept.ts": `export async function get() {
  return { statusCode: 200, body: "here" };
}

${DATA_HANDLER}`,
  };
}

function componentsOf({ table = "Notes", aliases = [], key = "string", extra }: KeptApp): string {
  const lines = [
    `const files = new scrim.aws.Bucket("Files");`,
    ...(table === null ? [] : [tableOf(table, aliases, key)]),
    `const api = new scrim.aws.ApiGatewayV2("Api");`,
    `api.route("GET /", "src/kept.get");`,
    `api.route("GET /data", { handler: "src/kept.data", link: [files] });`,
    ...(extra === true ? [`api.route("GET /extra", "src/kept.get");`] : []),
    `return { url: api.url, files: files.name${table === null ? "" : ", notes: notes.name"} };`,
  ];
  return lines.map((line) => `    ${line}\n`).join("");
}

function tableOf(name: string, aliases: readonly string[], key: string): string {
  const options = [
    `fields: { id: "${key}" }`,
    `primaryIndex: { hashKey: "id" }`,
    ...(aliases.length === 0 ? [] : [`aliases: ${JSON.stringify(aliases)}`]),
  ];
  return `const notes = new scrim.aws.Dynamo("${name}", { ${options.join(", ")} });`;
}
