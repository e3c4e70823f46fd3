/** An app with an authorizer, a route behind it, and routes that verify by themselves. */
export function authApp(issuerUrl: string): Readonly<Record<string, string>> {
  return {
    "scrim.config.ts": `/// <reference types="scrim/config" />
export default $config({
  app() {
    return { name: "guarded", home: "local", removal: "remove" };
  },
  async run() {
    const issuer = new scrim.Linkable("Issuer", { properties: { url: "${issuerUrl}" } });
    const words = new scrim.Linkable("Words", { properties: { hello: "Hello" } });
    const auth = new scrim.aws.Auth("Auth", {
      authorizer: { handler: "src/auth.handler", link: [issuer], environment: { AUDIENCE: "notes" } },
    });
    const plain = new scrim.aws.Auth("Plain", {
      authorizer: { handler: "src/auth.plain", link: [issuer], environment: { AUDIENCE: "notes" } },
    });
    const odd = new scrim.aws.Auth("Odd", { authorizer: "src/auth.odd" });
    const api = new scrim.aws.ApiGatewayV2("Api", {
      cors: { allowOrigins: ["*"], exposeHeaders: ["x-why"] },
    });
    const get = "src/routes.get";
    api.route("GET /me", { handler: get, auth, link: [words], environment: { SIGN: "!" } });
    api.route("POST /me", { handler: get, auth, link: [words], environment: { SIGN: "!" } });
    api.route("GET /plain", { handler: get, auth: plain, link: [words] });
    api.route("GET /called-back", { handler: "src/called-back.get", auth });
    api.route("GET /odd", { handler: get, auth: odd, link: [words] });
    api.route("GET /by-hand", {
      handler: "src/routes.byHand", auth: false, link: [issuer], environment: { AUDIENCE: "notes" },
    });
    api.route("ANY /public", "src/routes.seen");
    api.route("GET /callback", { handler: "src/routes.callback", link: [issuer] });
    return { url: api.url };
  },
});
`,
    "src/auth.ts": `import { Resource } from "scrim";
import { auth } from "scrim/auth";
import { AuthAdapter } from "scrim/auth/adapter";

const adapter = () => AuthAdapter.oidc({ issuer: Resource.Issuer.url, audience: process.env.AUDIENCE });
let ready;
const verify = (event) => (ready ??= adapter()).verify(event);

export const handler = auth.authorizer(async (event) => {
  const user = await verify(event);
  event.headers.authorization = "changed";
  event.requestContext.http.method = "changed";
  return { user };
});

export const plain = async (event) => ({ user: await verify(event) });

const ODD = {
  null: () => null,
  empty: () => ({}),
  "status-only": () => ({ statusCode: 200 }),
  "no-id": () => ({ user: { email: "ada@example.com" } }),
  "empty-id": () => ({ user: { id: "" } }),
  "number-id": () => ({ user: { id: 7 } }),
  inherited: () => ({ user: Object.create({ id: "evil" }) }),
  redirect: () => ({ statusCode: 302, user: { id: "evil" } }),
  rejected: () => Promise.reject(new Error("no database " + "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2ln")),
  thrown: () => { throw "text"; },
  succeed: (event, context) => context.succeed({ statusCode: 200, body: "let in" }),
  "bad-header": () => ({ statusCode: 403, body: "no", headers: { "bad name": "x", "x-why": "rules" } }),
  forbidden: () => ({
    statusCode: 403,
    body: JSON.stringify({ reason: "not yours" }),
    headers: { "Content-Type": "application/json", "X-Why": "rules" },
  }),
};
export const odd = async (event, context) => ODD[event.headers["x-odd"]](event, context);
`,
    "src/routes.ts": `import { Resource } from "scrim";
import { auth } from "scrim/auth";
import { AuthAdapter } from "scrim/auth/adapter";

const answer = (value) => ({ statusCode: 200, body: JSON.stringify(value) });

export const get = async (event) => answer({
  authorizer: event.requestContext.authorizer,
  method: event.requestContext.http.method,
  bearer: event.headers.authorization?.startsWith("Bearer "),
  words: Resource.Words.hello + (process.env.SIGN ?? ""),
  audience: process.env.AUDIENCE,
});

export const seen = async (event) => answer({ authorizer: event.requestContext.authorizer ?? null });

export const byHand = auth.handler(async (event) => {
  const options = { issuer: Resource.Issuer.url, audience: process.env.AUDIENCE };
  const user = await AuthAdapter.oidc(options).verify(event);
  return answer({ userId: user.id });
});

export const callback = async (event) =>
  auth.callback({ tokenUrl: Resource.Issuer.url + "/token", clientId: "notes", clientSecret: "s3cret" })(event);
`,
    "src/called-back.cjs": `exports.get = (event, context, callback) => {
  setImmediate(() => callback(null, { statusCode: 200, body: event.requestContext.authorizer.email }));
};
`,
  };
}
