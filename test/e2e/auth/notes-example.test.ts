import { cpSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  SignUpCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../../support/project.ts";
import { root } from "../../support/root.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "Correct-horse-7";
const STAGE = ["--stage", "alice"];

/** Visits addresses as a browser does that keeps its cookies, one redirect at a time. */
class Visitor {
  readonly #cookies = new Map<string, string>();

  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...(init.headers as Record<string, string>), cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      this.#cookies.set(name, value);
    }
    return response;
  }
}

function locationOf(response: Response, from: string): string {
  return new URL(response.headers.get("location") ?? "", from).href;
}

describe("the example notes", () => {
  let project: Project;
  let url = "";
  let pool = "";
  let client = "";

  beforeAll(async () => {
    project = makeProject({});
    const isSource = (path: string): boolean => !/node_modules|\.scrim$/.test(path);
    const from = join(root, "examples/notes");
    cpSync(from, project.folder, {
      recursive: true,
      filter: (path) => path === from || isSource(path.slice(from.length)),
    });
    rmSync(join(project.folder, "scrim-env.d.ts"));
    const sdks = "node_modules/@aws-sdk";
    symlinkSync(join(root, sdks), join(project.folder, sdks), "dir");
    const deployed = await project.scrim(["deploy", ...STAGE, "--json"]);
    expect(deployed).toMatchObject({ exit: 0 });
    const { outputs } = JSON.parse(deployed.stdout);
    ({ url, userPool: pool, client } = outputs);
    await signUp();
  }, 60_000);

  afterAll(() => project.dispose());

  async function signUp(): Promise<void> {
    const sdk = new CognitoIdentityProviderClient({
      ...{ endpoint: new URL(pool).origin, region: "us-east-1" },
      credentials: { accessKeyId: "none", secretAccessKey: "none" },
    });
    const who = { ClientId: client, Username: EMAIL };
    await sdk.send(new SignUpCommand({ ...who, Password: PASSWORD }));
    const { stdout } = await project.scrim(["logs", ...STAGE, "--function", "Users"]);
    const ConfirmationCode = /Code (\d{6}) confirms/.exec(stdout)?.[1];
    await sdk.send(new ConfirmSignUpCommand({ ...who, ConfirmationCode }));
    sdk.destroy();
  }

  const me = (token: string) =>
    fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });

  it("has the types that its config makes", () => {
    const types = readFileSync(join(project.folder, "scrim-env.d.ts"), "utf8");
    expect(types).toBe(readFileSync(join(root, "examples/notes/scrim-env.d.ts"), "utf8"));
  });

  it("serves everybody, and keeps what is somebody's", async () => {
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`${url}/notes`)).status).toBe(200);
    for (const [method, path] of [
      ["GET", "/me"],
      ["POST", "/notes"],
      ["DELETE", "/notes/1"],
      ["PUT", "/notes/1/attachment"],
    ] as const) {
      const refused = await fetch(`${url}${path}`, { method });
      expect([refused.status, await refused.text()]).toEqual([401, "Unauthorized"]);
    }
  });

  it("signs in with the hosted login, whose access token is good for a protected route", async () => {
    const browser = new Visitor();
    const authorize = locationOf(await browser.visit(`${url}/sign-in`), url);
    expect(authorize).toMatch(/code_challenge=/);
    const login = locationOf(await browser.visit(authorize), authorize);
    const form = await (await browser.visit(login)).text();
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(form)?.[1] ?? "";
    const signedIn = await browser.visit(login, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ _csrf, username: EMAIL, password: PASSWORD }).toString(),
    });
    const callback = locationOf(signedIn, login);
    expect(callback).toMatch(/\/callback\?code=/);

    const finished = await browser.visit(callback);
    expect(finished.status).toBe(302);
    const dashboard = locationOf(finished, url);
    expect(new URL(dashboard).pathname).toBe("/dashboard");
    const page = await fetch(dashboard);
    expect(page.status).toBe(200);
    expect(page.headers.get("x-frame-options")).toBe("DENY");

    const token = new URL(dashboard).searchParams.get("token") ?? "";
    const answer = await me(token);
    expect(answer.status).toBe(200);
    const { sub } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(await answer.json()).toEqual({ userId: sub, email: EMAIL });
    // A callback is good once, and for the browser that started.
    expect((await browser.visit(callback)).status).toBe(400);
    expect((await fetch(callback, { redirect: "manual" })).status).toBe(400);
    const forged = `${token.slice(0, -8)}AAAAAAAA`;
    expect(await (await me(forged)).text()).toBe("Invalid token");
  });
});
