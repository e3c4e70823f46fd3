import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type FaultProxy, type ProxyFault, startFaultProxy } from "../../../testing/fault-proxy.ts";
import { type AwsSettings, openAccount } from "./account.ts";
import { chooseAccess } from "./choose-access.ts";

const NOTHING: AwsSettings = { region: null, profile: null, allowedAccountIds: [] };
const KEYS = { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "secret" };

let home: string;
let sts: FaultProxy;

beforeAll(async () => {
  sts = await startFaultProxy("http://127.0.0.1:9");
});
afterAll(() => sts.close());

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "scrim-aws-"));
  mkdirSync(join(home, ".aws"));
  writeFileSync(
    join(home, ".aws/config"),
    "[default]\nregion = eu-west-1\n\n[profile work]\nregion=eu-central-1\n[sso-session x]\n",
  );
  writeFileSync(
    join(home, ".aws/credentials"),
    "[work]\naws_access_key_id = WORK\naws_secret_access_key = w\n[bare]\naws_access_key_id=B\n",
  );
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

const xml = { "content-type": "text/xml" };

function identity(account: string, partition = "aws"): ProxyFault {
  const arn = `arn:${partition}:iam::${account}:user/ada`;
  const result = `<GetCallerIdentityResult><Arn>${arn}</Arn><UserId>u</UserId><Account>${account}</Account></GetCallerIdentityResult>`;
  const body = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</GetCallerIdentityResponse>`;
  return { status: 200, body, headers: xml, served: false };
}

function refusal(status: number, code: string, message: string): ProxyFault {
  const body = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
  return { status, body, headers: xml, served: false };
}

function environment(more: Readonly<Record<string, string>> = {}) {
  return { HOME: home, AWS_ENDPOINT_URL: sts.endpoint, ...more };
}

describe("where to go on AWS", () => {
  it.each<[string, Partial<AwsSettings>, Record<string, string>, string]>([
    [
      "AWS_REGION before the config",
      { region: "eu-west-3" },
      { AWS_REGION: "us-east-2" },
      "us-east-2",
    ],
    [
      "the config before AWS_DEFAULT_REGION",
      { region: "eu-west-3" },
      { AWS_DEFAULT_REGION: "us-west-1" },
      "eu-west-3",
    ],
    ["AWS_DEFAULT_REGION before the profile", {}, { AWS_DEFAULT_REGION: "us-west-1" }, "us-west-1"],
    ["the profile's region", { profile: "work" }, {}, "eu-central-1"],
    ["the default profile's region", {}, { AWS_REGION: "" }, "eu-west-1"],
  ])("uses %s", async (_, settings, env, region) => {
    const access = await chooseAccess(
      { ...NOTHING, ...settings },
      environment({ ...KEYS, ...env }),
    );
    expect(access.region).toBe(region);
  });

  it("takes the profile that was chosen, AWS_PROFILE first, before keys in the environment", async () => {
    const env = environment({ ...KEYS, AWS_PROFILE: "work" });
    const access = await chooseAccess({ ...NOTHING, profile: "bare" }, env);
    expect(access.profile).toBe("work");
    for (const [key, value] of Object.entries(KEYS)) vi.stubEnv(key, value);
    vi.stubEnv("AWS_CONFIG_FILE", join(home, ".aws/config"));
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(home, ".aws/credentials"));
    expect((await access.credentials()).accessKeyId).toBe("WORK");
  });

  it("names the profiles that there are when one is not known", async () => {
    const choice = chooseAccess({ ...NOTHING, profile: "wrok" }, environment());
    await expect(choice).rejects.toMatchObject({
      exit: 4,
      diagnostics: [{ code: "AWS_PROFILE_UNKNOWN", hint: expect.stringContaining("work") }],
    });
  });

  it.each([
    ["AWS_REGION_MISSING", { profile: "bare" }, {}],
    ["AWS_REGION_INVALID", {}, { AWS_REGION: "europe" }],
  ])("ends with %s before any call", async (code, settings, env) => {
    const before = sts.count;
    const opening = openAccount({ ...NOTHING, ...settings }, environment({ ...KEYS, ...env }));
    await expect(opening).rejects.toMatchObject({ exit: 4, diagnostics: [{ code }] });
    expect(sts.count).toBe(before);
  });
});

describe("an account", () => {
  it("is the one that the credentials are of", async () => {
    sts.script(() => identity("111122223333", "aws-cn"));
    const account = await openAccount(NOTHING, environment(KEYS));
    expect(account).toMatchObject({ id: "111122223333", partition: "aws-cn", profile: null });
    expect(account.endpoint).toBe(sts.endpoint);
  });

  it("is refused when the config does not allow it", async () => {
    sts.script(() => identity("111122223333"));
    const settings = { ...NOTHING, allowedAccountIds: ["444455556666"] };
    await expect(openAccount(settings, environment(KEYS))).rejects.toMatchObject({
      exit: 4,
      diagnostics: [{ code: "AWS_ACCOUNT_REFUSED", why: expect.stringContaining("444455556666") }],
    });
  });

  it.each([
    ["AWS_CREDENTIALS_EXPIRED", 403, "ExpiredToken", "The security token is expired"],
    ["AWS_CREDENTIALS_REFUSED", 403, "InvalidClientTokenId", "The security token is invalid"],
    ["AWS_ACCESS_DENIED", 403, "AccessDenied", "explicit deny"],
  ])("that is not told is %s", async (code, status, name, message) => {
    sts.script(() => refusal(status, name, message));
    await expect(openAccount(NOTHING, environment(KEYS))).rejects.toMatchObject({
      exit: 4,
      diagnostics: [{ code }],
    });
  });

  it("cannot be reached over a port that nobody listens on", async () => {
    const env = environment({ ...KEYS, AWS_ENDPOINT_URL: "http://127.0.0.1:9" });
    await expect(openAccount(NOTHING, env)).rejects.toMatchObject({
      exit: 1,
      diagnostics: [
        { code: "AWS_UNREACHABLE", message: expect.stringContaining("http://127.0.0.1:9") },
      ],
    });
  });
});
