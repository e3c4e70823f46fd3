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
  /** Whether the table refuses to be deleted. */
  readonly tableProtected?: boolean;
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

function componentsOf(app: KeptApp): string {
  const { table = "Notes", extra } = app;
  const lines = [
    `const files = new scrim.aws.Bucket("Files");`,
    ...(table === null ? [] : [tableOf(table, app)]),
    `const api = new scrim.aws.ApiGatewayV2("Api");`,
    `api.route("GET /", "src/kept.get");`,
    `api.route("GET /data", { handler: "src/kept.data", link: [files] });`,
    ...(extra === true ? [`api.route("GET /extra", "src/kept.get");`] : []),
    `return { url: api.url, files: files.name${table === null ? "" : ", notes: notes.name"} };`,
  ];
  return lines.map((line) => `    ${line}\n`).join("");
}

function tableOf(name: string, app: KeptApp): string {
  const { aliases = [], key = "string", tableProtected = false } = app;
  const options = [
    `fields: { id: "${key}" }`,
    `primaryIndex: { hashKey: "id" }`,
    `deletionProtection: ${tableProtected}`,
    ...(aliases.length === 0 ? [] : [`aliases: ${JSON.stringify(aliases)}`]),
  ];
  return `const notes = new scrim.aws.Dynamo("${name}", { ${options.join(", ")} });`;
}
