import {
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  InitiateAuthCommand,
  SignUpCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endServer } from "../support/cli.ts";
import { appConfig, makeProject, type Project } from "../support/project.ts";

const RUN = `
    const users = new scrim.aws.CognitoUserPool("Users", { usernames: ["email"], domain: true });
    const api = new scrim.aws.ApiGatewayV2("Api");
    const web = users.addClient("Web", {
      callbackUrls: [$interpolate\`\${api.url}/callback\`],
      authFlows: ["USER_PASSWORD_AUTH", "REFRESH_TOKEN_AUTH"],
    });
    api.route("GET /", { handler: "src/pool.show", link: [users, web] });
    return { url: api.url, domain: users.domain, pool: users.id, client: web.id };`;

const HANDLER = `import { Resource } from "scrim";
export async function show() {
  const endpoint = process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER;
  return { statusCode: 200, body: JSON.stringify({ ...Resource, users: Resource.Users, endpoint }) };
}
`;

const EMAIL = "ann@example.com";
const PASSWORD = "Correct-Horse-1";
const STAGE = ["--stage", "alice"];

interface Outputs {
  readonly url: string;
  readonly domain: string;
  readonly pool: string;
  readonly client: string;
}

describe("a user pool of a deployed stage", () => {
  let project: Project;
  let outputs: Outputs;
  let sdk: CognitoIdentityProviderClient;

  beforeAll(async () => {
    project = makeProject({
      "scrim.config.ts": appConfig({ run: RUN }),
      "src/pool.ts": HANDLER,
    });
    const deployed = await project.scrim(["deploy", ...STAGE, "--json"]);
    expect(deployed).toMatchObject({ exit: 0 });
    outputs = JSON.parse(deployed.stdout).outputs;
    sdk = new CognitoIdentityProviderClient({
      endpoint: new URL(outputs.domain).origin,
      region: "us-east-1",
      // Signing up and in needs no key at all.
      credentials: { accessKeyId: "none", secretAccessKey: "none" },
    });
  });
  afterAll(async () => {
    sdk.destroy();
    await project.dispose();
  });

  const signIn = () =>
    sdk.send(
      new InitiateAuthCommand({
        ...{ ClientId: outputs.client, AuthFlow: "USER_PASSWORD_AUTH" },
        AuthParameters: { USERNAME: EMAIL, PASSWORD },
      }),
    );

  it("is linked with its clients, and sends users back only to the API's own callback", async () => {
    const linked = JSON.parse(await (await fetch(outputs.url)).text());
    expect(linked).toMatchObject({
      users: { id: outputs.pool, clientIds: [outputs.client], domain: outputs.domain },
      endpoint: new URL(outputs.domain).origin,
    });
    const ask = (redirect_uri: string) =>
      fetch(
        `${outputs.domain}/oauth2/authorize?${new URLSearchParams({
          ...{ client_id: outputs.client, response_type: "code", redirect_uri },
        })}`,
        { redirect: "manual" },
      );
    expect((await ask(`${outputs.url}/callback`)).status).toBe(302);
    expect((await ask(`${outputs.url}/other`)).status).toBe(400);
  });

  it("puts the code of a sign-up into the log, and lets the user in with it", async () => {
    const who = { ClientId: outputs.client, Username: EMAIL };
    await sdk.send(new SignUpCommand({ ...who, Password: PASSWORD }));
    const { stdout } = await project.scrim(["logs", ...STAGE, "--function", "Users"]);
    const ConfirmationCode = /Code (\d{6}) confirms the sign-up of ann@example\.com/.exec(
      stdout,
    )?.[1];
    await sdk.send(new ConfirmSignUpCommand({ ...who, ConfirmationCode }));
    expect((await signIn()).AuthenticationResult?.AccessToken).toBeTruthy();
  });

  it("is the same after the next deploy and after a restart, users included", async () => {
    await endServer(project.home);
    const again = await project.scrim(["deploy", ...STAGE, "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ status: "unchanged", outputs });
    expect((await signIn()).AuthenticationResult?.AccessToken).toBeTruthy();
  });

  it("goes with the stage", async () => {
    expect(await project.scrim(["remove", ...STAGE])).toMatchObject({ exit: 0 });
    const listed = await project.scrim(["state", "list", "--json"]);
    expect(JSON.parse(listed.stdout).stages).toEqual([]);
  });
});
