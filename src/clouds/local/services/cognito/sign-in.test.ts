import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  type CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  ConfirmSignUpCommand,
  ForgotPasswordCommand,
  GetUserCommand,
  GlobalSignOutCommand,
  InitiateAuthCommand,
  ListUsersCommand,
  RespondToAuthChallengeCommand,
  RevokeTokenCommand,
  SignUpCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserPool,
  type CognitoUserSession,
} from "amazon-cognito-identity-js";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CognitoFixture,
  createCognitoFixture,
  makeUser,
  PASSWORD,
  secretHash,
  signIn,
} from "./cognito.fixture.ts";
import { clientSignature, newSrpClient } from "./srp/srp-client.fixture.ts";

let fixture: CognitoFixture;
let sdk: CognitoIdentityProviderClient;
let pool: Awaited<ReturnType<CognitoFixture["pool"]>>;
let poolId: string;
let clientId: string;
let people = 0;
/** Somebody else in every test. */
let email: string;

beforeAll(async () => {
  fixture = await createCognitoFixture();
  sdk = fixture.sdk();
  pool = await fixture.pool("pool");
  poolId = String(pool["id"]);
  clientId = String((await fixture.client(pool))["id"]);
});

afterAll(() => fixture.close());

beforeEach(() => {
  fixture.aheadMs = 0;
  people += 1;
  email = `ann${people}@example.com`;
});

/** Signs in with the browser library, which never sends the password. */
function signInBySrp(username: string, password: string): Promise<CognitoUserSession> {
  const userPool = new CognitoUserPool({
    ...{ UserPoolId: poolId, ClientId: clientId, endpoint: fixture.endpoint },
  });
  const user = new CognitoUser({ Username: username, Pool: userPool });
  const details = new AuthenticationDetails({ Username: username, Password: password });
  return new Promise((resolve, reject) => {
    user.authenticateUser(details, { onSuccess: resolve, onFailure: reject });
  });
}

/** Starts to sign in as one and answers as another. */
async function proveBySrp(login: string, named: string) {
  const client = newSrpClient();
  const started = await sdk.send(
    new InitiateAuthCommand({
      ...{ ClientId: clientId, AuthFlow: "USER_SRP_AUTH" },
      AuthParameters: { USERNAME: login, SRP_A: client.publicNumber.toString(16) },
    }),
  );
  const {
    USERNAME = "",
    SALT = "",
    SRP_B = "",
    SECRET_BLOCK = "",
  } = started.ChallengeParameters ?? {};
  const timestamp = "Fri Nov 20 08:00:00 UTC 2026";
  const signature = clientSignature(client, {
    ...{ poolName: poolId.split("_")[1] ?? "", username: USERNAME, password: PASSWORD },
    ...{ salt: SALT, serverPublic: BigInt(`0x${SRP_B}`), timestamp },
    secretBlock: Buffer.from(SECRET_BLOCK, "base64"),
  });
  return await sdk.send(
    new RespondToAuthChallengeCommand({
      ...{ ClientId: clientId, ChallengeName: "PASSWORD_VERIFIER" },
      ChallengeResponses: {
        ...{ USERNAME: named, TIMESTAMP: timestamp },
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: signature,
      },
    }),
  );
}

describe("signing up", () => {
  it("ends with a confirmed user whose tokens verify against the pool's key set", async () => {
    const answer = await sdk.send(
      new SignUpCommand({ ClientId: clientId, Username: email, Password: PASSWORD }),
    );
    expect(answer).toMatchObject({
      UserConfirmed: false,
      CodeDeliveryDetails: { Destination: "a***@e***", DeliveryMedium: "EMAIL" },
    });
    await expect(signIn(sdk, clientId, email)).rejects.toMatchObject({
      name: "UserNotConfirmedException",
    });
    const [line] = (await fixture.log()).slice(-1);
    expect(line?.function).toBe("Users");
    expect(line?.message).toMatch(/^Code \d{6} confirms the sign-up of ann\d+@example.com$/);
    const ConfirmationCode = await fixture.lastCode();
    await sdk.send(
      new ConfirmSignUpCommand({ ClientId: clientId, Username: email, ConfirmationCode }),
    );
    const tokens = await signIn(sdk, clientId, email.toUpperCase());

    const keys = createRemoteJWKSet(new URL(`${fixture.endpoint}/${poolId}/.well-known/jwks.json`));
    const issuer = `https://cognito-idp.us-east-1.amazonaws.com/${poolId}`;
    const id = await jwtVerify(tokens.id, keys, { issuer, audience: clientId });
    expect(id.protectedHeader).toEqual({ kid: expect.any(String), alg: "RS256" });
    expect(id.payload).toMatchObject({
      sub: answer.UserSub,
      "cognito:username": answer.UserSub,
      email,
      email_verified: true,
      token_use: "id",
      auth_time: expect.any(Number),
      origin_jti: expect.any(String),
      event_id: expect.any(String),
    });
    const access = await jwtVerify(tokens.access, keys, { issuer });
    expect(access.payload).toMatchObject({
      sub: answer.UserSub,
      username: answer.UserSub,
      client_id: clientId,
      token_use: "access",
      scope: "aws.cognito.signin.user.admin",
      origin_jti: id.payload["origin_jti"],
    });
    expect(access.payload).not.toHaveProperty("email");
    expect(access.payload).not.toHaveProperty("aud");
    expect(Number(access.payload.exp) - Number(access.payload.iat)).toBe(3600);
  });

  it("refuses a taken address, a weak password and attributes that are not one's own", async () => {
    await makeUser(sdk, poolId, email);
    const tries = [
      [{ Username: email.toUpperCase() }, "UsernameExistsException"],
      [{ Username: "bob" }, "InvalidParameterException"],
      [{ Username: "x@example.com", Password: "short" }, "InvalidPasswordException"],
      [
        {
          Username: "x@example.com",
          UserAttributes: [{ Name: "email_verified", Value: "true" }],
        },
        "NotAuthorizedException",
      ],
      [
        { Username: "x@example.com", UserAttributes: [{ Name: "custom:role", Value: "admin" }] },
        "InvalidParameterException",
      ],
    ] as const;
    for (const [input, name] of tries) {
      const command = new SignUpCommand({
        ...{ ClientId: clientId, Password: PASSWORD },
        ...input,
        UserAttributes: "UserAttributes" in input ? [...input.UserAttributes] : [],
      });
      await expect(sdk.send(command)).rejects.toMatchObject({ name });
    }
  });

  it("limits guesses at a code, whoever makes them", async () => {
    await sdk.send(new SignUpCommand({ ClientId: clientId, Username: email, Password: PASSWORD }));
    const right = await fixture.lastCode();
    const guess = (Username: string, ConfirmationCode: string) =>
      sdk.send(new ConfirmSignUpCommand({ ClientId: clientId, Username, ConfirmationCode }));
    const wrong = right === "000000" ? "000001" : "000000";
    for (let turn = 0; turn < 5; turn += 1)
      await expect(guess(email, wrong)).rejects.toMatchObject({
        name: "CodeMismatchException",
      });
    await expect(guess(email, right)).rejects.toMatchObject({
      name: "LimitExceededException",
    });
    await expect(guess("nobody@example.com", wrong)).rejects.toMatchObject({
      name: "ExpiredCodeException",
    });
    fixture.aheadMs = 25 * 3_600_000;
    await expect(guess(email, right)).rejects.toMatchObject({
      name: "ExpiredCodeException",
    });
  });
});

describe("signing in", () => {
  it("works without sending the password, as browsers do it", async () => {
    const username = await makeUser(sdk, poolId, email);
    const session = await signInBySrp(email, PASSWORD);
    expect(session.getAccessToken().payload["username"]).toBe(username);
    await expect(signInBySrp(email, "Wrong-Horse-1")).rejects.toMatchObject({
      code: "NotAuthorizedException",
      message: "Incorrect username or password.",
    });
    await expect(signInBySrp("nobody@example.com", PASSWORD)).rejects.toMatchObject({
      code: "NotAuthorizedException",
      message: "Incorrect username or password.",
    });
  });

  it("takes the proof of a password only for whom it was asked for, known or not", async () => {
    await makeUser(sdk, poolId, email);
    await makeUser(sdk, poolId, `other-${email}`);
    const right = await proveBySrp(email, email);
    expect(right.AuthenticationResult?.AccessToken).toBeTruthy();
    for (const login of [email, "nobody@example.com"])
      for (const named of [`other-${email}`, "someone-else"])
        await expect(proveBySrp(login, named)).rejects.toMatchObject({
          name: "NotAuthorizedException",
          message: "Incorrect username or password.",
        });
  });

  it("says the same of a wrong password and of a user that does not exist", async () => {
    await makeUser(sdk, poolId, email);
    for (const user of [email, "nobody@example.com"])
      await expect(signIn(sdk, clientId, user, "Wrong-Horse-1")).rejects.toMatchObject({
        name: "NotAuthorizedException",
        message: "Incorrect username or password.",
      });
    const open = await fixture.client(pool, { hidesUserExistence: false });
    await expect(signIn(sdk, String(open["id"]), "nobody@example.com")).rejects.toMatchObject({
      name: "UserNotFoundException",
    });
  });

  it("makes who guesses wait, however many guesses are made at once", async () => {
    await makeUser(sdk, poolId, email);
    const guesses = Array.from({ length: 12 }, (_, index) =>
      signIn(sdk, clientId, email, `Wrong-Horse-${index}`).catch((error: Error) => error.message),
    );
    const answers = await Promise.all(guesses);
    const checked = answers.filter((answer) => answer === "Incorrect username or password.");
    expect(checked.length).toBeLessThanOrEqual(6);
    fixture.aheadMs = 0;
    await expect(signIn(sdk, clientId, email)).rejects.toMatchObject({
      message: "Password attempts exceeded",
    });
    await expect(signInBySrp(email, PASSWORD)).rejects.toMatchObject({
      message: "Password attempts exceeded",
    });
    fixture.aheadMs = 16 * 60_000;
    await signIn(sdk, clientId, email);
  });

  it("offers only the flows that the client has", async () => {
    await makeUser(sdk, poolId, email);
    const { id } = await fixture.client(pool, { authFlows: ["USER_SRP_AUTH"] });
    await expect(signIn(sdk, String(id), email)).rejects.toMatchObject({
      name: "InvalidParameterException",
      message: "USER_PASSWORD_AUTH flow not enabled for this client",
    });
  });

  it("wants the secret hash of a client that has a secret", async () => {
    await makeUser(sdk, poolId, email);
    const { id, secret } = await fixture.client(pool, { generateSecret: true });
    const ClientId = String(id);
    await expect(signIn(sdk, ClientId, email)).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
    const command = (hash: string) =>
      new InitiateAuthCommand({
        ...{ ClientId, AuthFlow: "USER_PASSWORD_AUTH" },
        AuthParameters: { USERNAME: email, PASSWORD, SECRET_HASH: hash },
      });
    const right = secretHash(String(secret), email, ClientId);
    expect((await sdk.send(command(right))).AuthenticationResult?.TokenType).toBe("Bearer");
    const wrong = secretHash("other", email, ClientId);
    await expect(sdk.send(command(wrong))).rejects.toMatchObject({
      message: `Unable to verify secret hash for client ${ClientId}`,
    });
  });

  it("demands a password of the user's own in the place of a temporary one", async () => {
    await sdk.send(new AdminCreateUserCommand({ UserPoolId: poolId, Username: email }));
    const temporary = await fixture.lastCode();
    const start = () =>
      sdk.send(
        new AdminInitiateAuthCommand({
          ...{ UserPoolId: poolId, ClientId: clientId, AuthFlow: "ADMIN_USER_PASSWORD_AUTH" },
          AuthParameters: { USERNAME: email, PASSWORD: temporary },
        }),
      );
    const started = await start();
    expect(started).toMatchObject({
      ChallengeName: "NEW_PASSWORD_REQUIRED",
      Session: expect.any(String),
    });
    const respond = (NEW_PASSWORD: string, Session = started.Session, USERNAME = email) =>
      sdk.send(
        new RespondToAuthChallengeCommand({
          ...{ ClientId: clientId, ChallengeName: "NEW_PASSWORD_REQUIRED" },
          ...{ Session, ChallengeResponses: { USERNAME, NEW_PASSWORD } },
        }),
      );
    const { Session: another } = await start();
    await expect(respond(PASSWORD, another, `other-${email}`)).rejects.toMatchObject({
      name: "NotAuthorizedException",
      message: "Invalid session for the user.",
    });
    await expect(respond("weak")).rejects.toMatchObject({ name: "InvalidPasswordException" });
    expect((await respond(PASSWORD)).AuthenticationResult?.AccessToken).toBeTruthy();
    await expect(respond(PASSWORD)).rejects.toMatchObject({ name: "NotAuthorizedException" });
    await signIn(sdk, clientId, email);
  });

  it("ends with a disabled user's tokens, too", async () => {
    const Username = email;
    await makeUser(sdk, poolId, Username);
    const { access, refresh } = await signIn(sdk, clientId, Username);
    await sdk.send(new AdminDisableUserCommand({ UserPoolId: poolId, Username }));
    await expect(signIn(sdk, clientId, Username)).rejects.toMatchObject({
      message: "User is disabled.",
    });
    await expect(refreshed(refresh)).rejects.toMatchObject({ name: "NotAuthorizedException" });
    await expect(sdk.send(new GetUserCommand({ AccessToken: access }))).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
  });
});

function refreshed(token: string) {
  return sdk.send(
    new InitiateAuthCommand({
      ...{ ClientId: clientId, AuthFlow: "REFRESH_TOKEN_AUTH" },
      AuthParameters: { REFRESH_TOKEN: token },
    }),
  );
}

describe("tokens", () => {
  it("are renewed by a refresh token until it is revoked, which ends access tokens too", async () => {
    await makeUser(sdk, poolId, email);
    const first = await signIn(sdk, clientId, email);
    const { AuthenticationResult: second } = await refreshed(first.refresh);
    const AccessToken = second?.AccessToken ?? "";
    expect(second?.RefreshToken).toBeUndefined();
    const { UserAttributes = [] } = await sdk.send(new GetUserCommand({ AccessToken }));
    expect(UserAttributes).toContainEqual({ Name: "email", Value: email });
    await sdk.send(new RevokeTokenCommand({ ClientId: clientId, Token: first.refresh }));
    await expect(refreshed(first.refresh)).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
    await expect(sdk.send(new GetUserCommand({ AccessToken }))).rejects.toMatchObject({
      message: "Access Token has been revoked",
    });
  });

  it("end when they expire or their user signs out everywhere", async () => {
    await makeUser(sdk, poolId, email);
    const { access, refresh } = await signIn(sdk, clientId, email);
    fixture.aheadMs = 3_601_000;
    await expect(sdk.send(new GetUserCommand({ AccessToken: access }))).rejects.toMatchObject({
      message: "Access Token has expired",
    });
    const { AuthenticationResult: second } = await refreshed(refresh);
    await sdk.send(new GlobalSignOutCommand({ AccessToken: second?.AccessToken }));
    await expect(refreshed(refresh)).rejects.toMatchObject({ name: "NotAuthorizedException" });
    fixture.aheadMs = 0;
    const { refresh: last } = await signIn(sdk, clientId, email);
    fixture.aheadMs = 31 * 86_400_000;
    await expect(refreshed(last)).rejects.toMatchObject({ name: "NotAuthorizedException" });
  });

  it("of an id token's kind, of another pool or with a changed letter open nothing", async () => {
    await makeUser(sdk, poolId, email);
    const { access, id } = await signIn(sdk, clientId, email);
    const [header, claims, signature] = access.split(".");
    const forged = Buffer.from(claims ?? "", "base64url")
      .toString()
      .replace(/"username":"[^"]*"/, '"username":"eve"');
    const changed = `${header}.${Buffer.from(forged).toString("base64url")}.${signature}`;
    for (const AccessToken of [id, changed, "x.y.z", `${access}x.`])
      await expect(sdk.send(new GetUserCommand({ AccessToken }))).rejects.toMatchObject({
        name: "NotAuthorizedException",
      });
  });
});

describe("a forgotten password", () => {
  it("is replaced with the code from the log", async () => {
    const Username = email;
    await makeUser(sdk, poolId, Username);
    const { CodeDeliveryDetails } = await sdk.send(
      new ForgotPasswordCommand({ ClientId: clientId, Username }),
    );
    expect(CodeDeliveryDetails?.Destination).toBe("a***@e***");
    const ConfirmationCode = await fixture.lastCode();
    const Password = "Another-Horse-2";
    const confirm = new ConfirmForgotPasswordCommand({
      ...{ ClientId: clientId, Username, ConfirmationCode, Password },
    });
    await sdk.send(confirm);
    await signIn(sdk, clientId, Username, Password);
    await expect(signIn(sdk, clientId, Username)).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
    await expect(sdk.send(confirm)).rejects.toMatchObject({ name: "ExpiredCodeException" });
  });

  it("tells nobody whether a user exists", async () => {
    const { CodeDeliveryDetails } = await sdk.send(
      new ForgotPasswordCommand({ ClientId: clientId, Username: "nobody@example.com" }),
    );
    expect(CodeDeliveryDetails?.Destination).toBe("n***@e***");
    expect((await fixture.log()).at(-1)?.message ?? "").not.toContain("nobody@");
  });
});

describe("stages and pools", () => {
  it("do not see each other's users, clients and tokens", async () => {
    const other = await fixture.pool("pool-of-two", {}, "two");
    const otherClient = String((await fixture.client(other, {}, "two"))["id"]);
    const two = fixture.sdk("two");
    await makeUser(sdk, poolId, email);
    await expect(signIn(sdk, otherClient, email)).rejects.toMatchObject({
      message: "Incorrect username or password.",
    });
    await expect(two.send(new ListUsersCommand({ UserPoolId: poolId }))).rejects.toMatchObject({
      name: "ResourceNotFoundException",
    });
    await makeUser(two, String(other["id"]), email, "Another-Horse-2");
    const { access } = await signIn(two, otherClient, email, "Another-Horse-2");
    expect((await sdk.send(new GetUserCommand({ AccessToken: access }))).Username).toBeTruthy();
    const unsigned = await fetch(fixture.endpoint, {
      method: "POST",
      headers: { "x-amz-target": "AWSCognitoIdentityProviderService.AdminGetUser" },
      body: JSON.stringify({ UserPoolId: poolId, Username: email, ClientId: clientId }),
    });
    expect(await unsigned.json()).toMatchObject({ __type: "MissingAuthenticationTokenException" });
  });

  it("keep users, keys and refresh tokens through a restart", async () => {
    await makeUser(sdk, poolId, email);
    const { access, refresh } = await signIn(sdk, clientId, email);
    await fixture.restart();
    await sdk.send(new GetUserCommand({ AccessToken: access }));
    await refreshed(refresh);
    const user = new AdminGetUserCommand({ UserPoolId: poolId, Username: email });
    expect(await sdk.send(user)).toMatchObject({ UserStatus: "CONFIRMED", Enabled: true });
  });
});
