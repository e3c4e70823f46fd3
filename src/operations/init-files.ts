import { DEFAULT_HOME } from "../clouds/default-home.ts";

/** What `init` writes, apart from what is generated from the config. */

/** The first config: one API with one route. */
export function configText(app: string, handler: string): string {
  return `/// <reference types="scrim/config" />

export default $config({
  app(input) {
    return {
      name: ${JSON.stringify(app)},
      home: ${JSON.stringify(DEFAULT_HOME)},
      removal: input.stage === "production" ? "retain" : "remove",
      protect: input.stage === "production",
    };
  },
  async run() {
    const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /", ${JSON.stringify(handler)});

    return { url: api.url };
  },
});
`;
}

/** The first route's handler. */
export const HANDLER_TEXT = `import { Resource } from "scrim";

/** GET / */
export async function get() {
  const { name, stage } = Resource.App;
  return {
    statusCode: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: \`Hello from \${name}\`, stage }),
  };
}
`;

/**
 * Settings by which an editor and `tsc --noEmit` check config and handlers.
 *
 * @param nodeTypes whether the types of Node.js are installed; else the browser's declare `console` and `fetch`
 */
export function tsconfigText(nodeTypes: boolean): string {
  const compilerOptions = {
    target: "es2022",
    lib: nodeTypes ? ["es2023"] : ["es2023", "dom"],
    module: "esnext",
    moduleResolution: "bundler",
    ...(nodeTypes && { types: ["node"] }),
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const include = ["src", "scrim.config.ts", "scrim-env.d.ts"];
  return `${JSON.stringify({ compilerOptions, include }, null, 2)}\n`;
}

/** What a new `.gitignore` holds. */
export const GITIGNORE_TEXT = "node_modules/\n.scrim/\n";

/**
 * A `.gitignore` that names the tool's own folder, with the line ends that it has.
 *
 * @returns null when it does so already
 */
export function withIgnoredFolder(text: string): string | null {
  if (/^\s*(\*\*)?\/?\.scrim\/?(\*\*?)?\s*$/m.test(text)) return null;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? text : text + end;
  return `${before}.scrim/${end}`;
}
