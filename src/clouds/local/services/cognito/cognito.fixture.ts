import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AdminCreateUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import type { JsonObject } from "../../../../model/json.ts";
import { accessKeyOf, clientSettings } from "../../server/data-plane.fixture.ts";
import { createDataPlane, type DataPlane } from "../../server/data-plane.ts";

/** A data plane with user pools, whose clock can be put forward. */
export interface CognitoFixture {
  readonly endpoint: string;
  readonly folder: string;
  /** Milliseconds that the pools' clock is ahead. */
  aheadMs: number;
  /** An SDK client that signs for a stage. */
  sdk(stageKey?: string): CognitoIdentityProviderClient;
  pool(name: string, spec?: JsonObject, stageKey?: string): Promise<JsonObject>;
  client(pool: JsonObject, spec?: JsonObject, stageKey?: string): Promise<JsonObject>;
  /** Lines of a stage's log. */
  log(
    stageKey?: string,
  ): Promise<readonly { readonly function: string; readonly message: string }[]>;
  /** The last code or temporary password that the log tells. */
  lastCode(stageKey?: string): Promise<string>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const PASSWORD = "Correct-Horse-1";

export const POOL_SPEC: JsonObject = {
  name: "Users",
  usernameAttributes: ["email"],
  aliasAttributes: [],
  passwordPolicy: {
    ...{ minimumLength: 8, requireLowercase: true, requireUppercase: true },
    ...{ requireNumbers: true, requireSymbols: true, temporaryPasswordDays: 7 },
  },
  selfSignUp: true,
  hostedLogin: true,
};

export const CLIENT_SPEC: JsonObject = {
  callbackUrls: ["http://127.0.0.1:9999/callback"],
  logoutUrls: ["http://127.0.0.1:9999/bye"],
  generateSecret: false,
  authFlows: [
    "USER_PASSWORD_AUTH",
    "USER_SRP_AUTH",
    "ADMIN_USER_PASSWORD_AUTH",
    "REFRESH_TOKEN_AUTH",
  ],
  scopes: ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"],
  accessTokenMinutes: 60,
  idTokenMinutes: 60,
  refreshTokenDays: 30,
  hidesUserExistence: true,
};

export async function createCognitoFixture(): Promise<CognitoFixture> {
  const folder = await mkdtemp(join(tmpdir(), "scrim-cognito-"));
  const logs = (stageKey: string) => join(folder, stageKey, "logs");
  const clock = { aheadMs: 0 };
  const sdks: CognitoIdentityProviderClient[] = [];
  let clients = 0;
  const open = (port: number | null) =>
    createDataPlane({
      resolveAccessKey: (id) => {
        const stageKey = id.slice("KEY-".length);
        return id.startsWith("KEY-")
          ? { stageKey, secret: accessKeyOf(stageKey).secretAccessKey }
          : null;
      },
      folderOf: (stageKey) => join(folder, stageKey),
      logsFolderOf: logs,
      ...{ port, region: "us-east-1", account: "000000000000" },
      now: () => Date.now() + clock.aheadMs,
      // Whatever is logged is a bug: fail the run, not the request.
      log: (message) => {
        void Promise.reject(new Error(message));
      },
    });
  let plane: DataPlane = await open(null);
  const put = async (stageKey: string, type: string, name: string, spec: JsonObject) =>
    await (await plane.instance(stageKey, type)).put(type, name, spec);
  const endpoint = `http://127.0.0.1:${plane.port}`;
  const readLog = async (stageKey = "one") => {
    const text = await readFile(join(logs(stageKey), "current.ndjson"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  };
  return {
    endpoint,
    folder,
    get aheadMs() {
      return clock.aheadMs;
    },
    set aheadMs(value) {
      clock.aheadMs = value;
    },
    sdk: (stageKey = "one") => {
      const sdk = new CognitoIdentityProviderClient(clientSettings(endpoint, stageKey));
      sdks.push(sdk);
      return sdk;
    },
    pool: (name, spec = {}, stageKey = "one") =>
      put(stageKey, "local:user-pool", name, { ...POOL_SPEC, ...spec }),
    client: (pool, spec = {}, stageKey = "one") => {
      clients += 1;
      const full = { ...CLIENT_SPEC, pool: pool["id"] ?? "", ...spec };
      return put(stageKey, "local:user-pool-client", `client-${clients}`, full);
    },
    log: readLog,
    lastCode: async (stageKey) => {
      const line = (await readLog(stageKey)).at(-1);
      return /^(?:Code|Temporary password) (\S+)/.exec(line?.message ?? "")?.[1] ?? "";
    },
    restart: async () => {
      const { port } = plane;
      await plane.close();
      plane = await open(port);
      for (const stageKey of ["one", "two"]) await plane.instance(stageKey, "local:user-pool");
    },
    close: async () => {
      for (const sdk of sdks) sdk.destroy();
      await plane.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a confirmed user and returns its username. */
export async function makeUser(
  sdk: CognitoIdentityProviderClient,
  UserPoolId: string,
  Username: string,
  Password = PASSWORD,
): Promise<string> {
  const { User } = await sdk.send(
    new AdminCreateUserCommand({
      ...{ UserPoolId, Username, MessageAction: "SUPPRESS" },
      UserAttributes: Username.includes("@") ? [{ Name: "email_verified", Value: "true" }] : [],
    }),
  );
  await sdk.send(
    new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }),
  );
  return User?.Username ?? "";
}

/** Signs in with a password and returns the tokens. */
export async function signIn(
  sdk: CognitoIdentityProviderClient,
  ClientId: string,
  USERNAME: string,
  PASSWORD_ = PASSWORD,
): Promise<{ readonly access: string; readonly id: string; readonly refresh: string }> {
  const { AuthenticationResult: result } = await sdk.send(
    new InitiateAuthCommand({
      ...{ ClientId, AuthFlow: "USER_PASSWORD_AUTH" },
      AuthParameters: { USERNAME, PASSWORD: PASSWORD_ },
    }),
  );
  return {
    access: result?.AccessToken ?? "",
    id: result?.IdToken ?? "",
    refresh: result?.RefreshToken ?? "",
  };
}

export function secretHash(secret: string, username: string, clientId: string): string {
  return createHmac("sha256", secret)
    .update(username + clientId)
    .digest("base64");
}
