import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientSettings } from "../../server/data-plane.fixture.ts";
import { makeUser, PASSWORD, signIn } from "./cognito.fixture.ts";

let work: string;
let entry: string;
let host: ChildProcess | null = null;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "scrim-cognito-crash-"));
  entry = join(work, "host.mjs");
  await symlink(join(process.cwd(), "node_modules"), join(work, "node_modules"), "junction");
  await build({
    entryPoints: [join(import.meta.dirname, "cognito-host.fixture.ts")],
    outfile: entry,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
});

afterAll(async () => {
  host?.kill("SIGKILL");
  await rm(work, { recursive: true, force: true });
});

interface Host {
  readonly endpoint: string;
  readonly poolId: string;
  readonly clientId: string;
}

async function startHost(): Promise<Host> {
  const child = spawn(process.execPath, [entry, join(work, "data")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  host = child;
  const [line]: unknown[] = await once(child.stdout, "data");
  return JSON.parse(String(line));
}

it("a killed server loses no user, key or refresh token that it has acknowledged", async () => {
  const first = await startHost();
  const sdk = new CognitoIdentityProviderClient(clientSettings(first.endpoint, "one"));
  await makeUser(sdk, first.poolId, "ann@example.com");
  const { access, refresh } = await signIn(sdk, first.clientId, "ann@example.com");
  const acknowledged: string[] = [];
  const writer = async (lane: number) => {
    for (let turn = 0; ; turn += 1) {
      const Username = `user${lane}.${turn}@example.com`;
      const user = { UserPoolId: first.poolId, Username, TemporaryPassword: PASSWORD };
      await sdk.send(new AdminCreateUserCommand(user));
      acknowledged.push(Username);
      if (acknowledged.length === 12) host?.kill("SIGKILL");
    }
  };
  await Promise.allSettled([0, 1, 2].map(writer));
  sdk.destroy();

  const second = await startHost();
  expect([second.poolId, second.clientId]).toEqual([first.poolId, first.clientId]);
  const again = new CognitoIdentityProviderClient(clientSettings(second.endpoint, "one"));
  expect(acknowledged.length).toBeGreaterThanOrEqual(12);
  for (const Username of acknowledged) {
    const user = new AdminGetUserCommand({ UserPoolId: first.poolId, Username });
    expect((await again.send(user)).UserStatus).toBe("FORCE_CHANGE_PASSWORD");
  }
  const renewed = await again.send(
    new InitiateAuthCommand({
      ...{ ClientId: first.clientId, AuthFlow: "REFRESH_TOKEN_AUTH" },
      AuthParameters: { REFRESH_TOKEN: refresh },
    }),
  );
  const kid = (token = "") =>
    JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
  expect(kid(renewed.AuthenticationResult?.AccessToken)).toBe(kid(access));
  again.destroy();
}, 60_000);
