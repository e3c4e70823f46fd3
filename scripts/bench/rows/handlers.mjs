import { paired } from "../measure/paired.mjs";
import { config, makeProject } from "../project.mjs";
import { atMost } from "../row.mjs";

const HANDLERS = 100;

/** What handlers that have not changed add to a deploy: they must be found unchanged without bundling them. */
export async function handlerRows() {
  const files = Object.fromEntries(
    Array.from({ length: HANDLERS }, (_, at) => [
      `src/handler${at}.ts`,
      `export async function get() { return { statusCode: 200, body: "${at}" }; }\n`,
    ]),
  );
  const withHandlers = makeProject({
    ...files,
    "scrim.config.ts": config(`
    const api = new scrim.aws.ApiGatewayV2("Api");
    for (let at = 0; at < ${HANDLERS}; at += 1) {
      api.route(\`GET /\${at}\`, \`src/handler\${at}.get\`);
    }`),
  });
  // As many components as there are resources beside the handlers' own.
  const without = makeProject({
    "scrim.config.ts": config(`
    for (let at = 0; at < ${HANDLERS}; at += 1) new scrim.aws.Bucket(\`Bucket\${at}\`);`),
  });
  try {
    const deploy = (project) => () => project.scrim("deploy", "--stage", "bench");
    await deploy(withHandlers)();
    await deploy(without)();
    const { ratio } = await paired(5, deploy(withHandlers), deploy(without), (run) => run.cpuMs);
    const what = `deploy with ${HANDLERS} unchanged handlers, CPU`;
    return [atMost(what, ratio, "x without them", 2)];
  } finally {
    await withHandlers.dispose();
    await without.dispose();
  }
}
