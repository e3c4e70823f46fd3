import { type RefusedRow, refuses } from "../../support/refused-rows.ts";

const row = (
  what: string,
  auth: string,
  route: string,
  ...says: readonly string[]
): RefusedRow => ({
  what,
  run: `const auth = new scrim.aws.Auth("Auth", ${auth}); const api = new scrim.aws.ApiGatewayV2("Api");
    api.route("GET /x", { handler: "src/hello.get", auth${route} });`,
  says,
});

refuses("an authorizer", [
  row("without a handler", "{ authorizer: {} }", "", "Option `authorizer.handler`", "is missing"),
  row(
    "that no file has",
    '{ authorizer: "src/auth.handler" }',
    "",
    "src/auth",
    "scrim.config.ts:7:",
  ),
  row(
    "that its file does not export",
    '{ authorizer: "src/hello.limt" }',
    "",
    "src/hello.ts exports no limt",
    "Did you mean limit?",
    "scrim.config.ts:7:",
  ),
  row(
    "with an option that only functions of their own have",
    '{ authorizer: { handler: "src/hello.get", memory: "1 GB" } }',
    "",
    "is not available yet",
  ),
  row(
    "that sets a variable otherwise than the route",
    '{ authorizer: { handler: "src/hello.get", environment: { LEVEL: "1" } } }',
    ', environment: { LEVEL: "2" }',
    'Route "GET /x" of scrim.aws.ApiGatewayV2 "Api"',
    'its authorizer scrim.aws.Auth "Auth" set LEVEL differently',
    "scrim.config.ts:8:",
  ),
  row(
    "in the mode gateway, by name on the local cloud",
    '{ authorizer: "src/hello.get", mode: "gateway" }',
    "",
    'Auth asks for the mode "gateway", which the local cloud lacks',
  ),
]);
