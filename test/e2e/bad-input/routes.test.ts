import { expect, it } from "vitest";
import { appConfig, makeProject } from "../../support/project.ts";
import { type RefusedRow, refuses } from "../../support/refused-rows.ts";

const api = 'const api = new scrim.aws.ApiGatewayV2("Api");';

const routes = (what: string, calls: string, ...says: readonly string[]): RefusedRow => ({
  what,
  run: `${api}\n    ${calls}`,
  says: [...says, "scrim.config.ts:8:"],
});

const route = (key: string, ...says: readonly string[]): RefusedRow =>
  routes(JSON.stringify(key), `api.route(${JSON.stringify(key)}, "src/hello.get");`, ...says);

refuses("a route", [
  route("GET users", "The path does not begin with a slash.", 'Did you mean "GET /users"?'),
  route("FETCH /x", '"FETCH" is not one of GET'),
  route("get /x", 'Did you mean "GET /x"?'),
  route("GET  /x", "Between method and path stands exactly one space"),
  route("GET /{a}/{a}", "The parameter {a} stands there twice."),
  route("", "A route is a method, a space and a path."),
  routes(
    "one that is there already",
    'api.route("GET /x", "src/hello.get"); api.route("GET /x", "src/hello.get");',
    "matches the same requests",
  ),
  routes(
    "one that differs in the names of parameters only",
    'api.route("GET /{a}", "src/hello.get"); api.route("GET /{b}", "src/hello.get");',
    "names of parameters make no difference",
  ),
  routes(
    "an auth that is not defined, which must not make it public",
    'let auth: unknown; api.route("GET /x", { handler: "src/hello.get", auth });',
    "Option `auth` of route",
    "is undefined",
    "check the order of imports",
  ),
  routes(
    "an auth that is text",
    'api.route("GET /x", { handler: "src/hello.get", auth: "yes" });',
    "Option `auth` of route",
  ),
  routes(
    "a misspelled auth, which must not make it public",
    'api.route("GET /x", { handler: "src/hello.get", athu: undefined });',
    "Unknown option `athu`",
    "Did you mean `auth`?",
  ),
]);

it("ANY beside a method is no mistake: the method is the exception", async () => {
  const calls = 'api.route("ANY /x", "src/hello.get"); api.route("GET /x", "src/hello.get");';
  const project = makeProject({
    "scrim.config.ts": appConfig({ run: `${api}\n    ${calls}` }),
    "src/hello.ts": "export const get = () => ({ statusCode: 200 });\n",
  });
  expect(await project.scrim(["diff", "--stage", "dev"])).toMatchObject({ exit: 0 });
  await project.dispose();
});
