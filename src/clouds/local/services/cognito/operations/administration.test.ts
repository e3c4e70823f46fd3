import {
  AdminAddUserToGroupCommand,
  AdminConfirmSignUpCommand,
  AdminCreateUserCommand,
  AdminDeleteUserAttributesCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminResetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  ChangePasswordCommand,
  type CognitoIdentityProviderClient,
  CreateGroupCommand,
  CreateUserPoolCommand,
  DeleteGroupCommand,
  DeleteUserCommand,
  DescribeUserPoolClientCommand,
  DescribeUserPoolCommand,
  GetUserCommand,
  ListGroupsCommand,
  ListUserPoolClientsCommand,
  ListUserPoolsCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
  SetUserMFAPreferenceCommand,
  SignUpCommand,
  UpdateUserAttributesCommand,
  VerifyUserAttributeCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CognitoFixture,
  createCognitoFixture,
  makeUser,
  PASSWORD,
  signIn,
} from "../cognito.fixture.ts";

let fixture: CognitoFixture;
let sdk: CognitoIdentityProviderClient;
let UserPoolId: string;
let ClientId: string;
let people = 0;
let Username: string;

beforeAll(async () => {
  fixture = await createCognitoFixture();
  sdk = fixture.sdk();
  const pool = await fixture.pool("pool");
  UserPoolId = String(pool["id"]);
  ClientId = String((await fixture.client(pool))["id"]);
});

afterAll(() => fixture.close());

beforeEach(() => {
  people += 1;
  Username = `ann${people}@example.com`;
});

describe("administrators", () => {
  it("make, change, disable and delete users", async () => {
    const made = await sdk.send(
      new AdminCreateUserCommand({
        ...{ UserPoolId, Username },
        UserAttributes: [
          { Name: "name", Value: "Ann" },
          { Name: "email_verified", Value: "true" },
        ],
      }),
    );
    expect(made.User).toMatchObject({ UserStatus: "FORCE_CHANGE_PASSWORD", Enabled: true });
    expect((await fixture.log()).at(-1)?.message).toMatch(
      new RegExp(`^Temporary password \\S{16} invites ${Username}$`),
    );
    await sdk.send(
      new AdminUpdateUserAttributesCommand({
        ...{ UserPoolId, Username },
        UserAttributes: [{ Name: "email", Value: `new-${Username}` }],
      }),
    );
    const moved = { UserPoolId, Username: `new-${Username}` };
    const names = { UserAttributeNames: ["name"] };
    await sdk.send(new AdminDeleteUserAttributesCommand({ ...moved, ...names }));
    const { UserAttributes } = await sdk.send(new AdminGetUserCommand(moved));
    expect(UserAttributes?.map(({ Name, Value }) => [Name, Value])).toEqual([
      ["sub", made.User?.Username],
      ["email_verified", "false"],
      ["email", `new-${Username}`],
    ]);
    await sdk.send(new AdminDeleteUserCommand(moved));
    await expect(sdk.send(new AdminGetUserCommand(moved))).rejects.toMatchObject({
      name: "UserNotFoundException",
    });
  });

  it("confirm a sign-up without verifying the address, and reset a password", async () => {
    await sdk.send(new SignUpCommand({ ClientId, Username, Password: PASSWORD }));
    await sdk.send(new AdminConfirmSignUpCommand({ UserPoolId, Username }));
    const user = await sdk.send(new AdminGetUserCommand({ UserPoolId, Username }));
    expect(user.UserStatus).toBe("CONFIRMED");
    expect(user.UserAttributes?.find(({ Name }) => Name === "email_verified")).toBeUndefined();
    const reset = new AdminResetUserPasswordCommand({ UserPoolId, Username });
    await expect(sdk.send(reset)).rejects.toMatchObject({ name: "InvalidParameterException" });
    await sdk.send(
      new AdminUpdateUserAttributesCommand({
        ...{ UserPoolId, Username },
        UserAttributes: [{ Name: "email_verified", Value: "true" }],
      }),
    );
    await sdk.send(reset);
    await expect(signIn(sdk, ClientId, Username)).rejects.toMatchObject({
      name: "PasswordResetRequiredException",
    });
  });

  it("find users by a filter, page by page", async () => {
    const pool = String((await fixture.pool("listed"))["id"]);
    const emails = ["a1@example.com", "a2@example.com", "b1@example.com"];
    for (const email of emails)
      await sdk.send(
        new AdminCreateUserCommand({
          ...{ UserPoolId: pool, Username: email, MessageAction: "SUPPRESS" },
        }),
      );
    const found: (string | undefined)[] = [];
    let PaginationToken: string | undefined;
    do {
      const page = await sdk.send(
        new ListUsersCommand({
          ...{ UserPoolId: pool, Limit: 1, Filter: 'email ^= "a"', AttributesToGet: ["email"] },
          PaginationToken,
        }),
      );
      expect(page.Users).toHaveLength(1);
      found.push(page.Users?.[0]?.Attributes?.[0]?.Value);
      PaginationToken = page.PaginationToken;
    } while (PaginationToken !== undefined);
    expect(found.sort()).toEqual(emails.slice(0, 2));
    const wrong = new ListUsersCommand({ UserPoolId: pool, Filter: "email like x" });
    await expect(sdk.send(wrong)).rejects.toMatchObject({ name: "InvalidParameterException" });
  });

  it("put users into groups, which tokens list by precedence", async () => {
    await makeUser(sdk, UserPoolId, Username);
    for (const [GroupName, Precedence] of [
      ["writers", 5],
      ["admins", 1],
    ] as const) {
      await sdk.send(new CreateGroupCommand({ UserPoolId, GroupName, Precedence }));
      await sdk.send(new AdminAddUserToGroupCommand({ UserPoolId, GroupName, Username }));
    }
    const again = new CreateGroupCommand({ UserPoolId, GroupName: "admins" });
    await expect(sdk.send(again)).rejects.toMatchObject({ name: "GroupExistsException" });
    const { access, id } = await signIn(sdk, ClientId, Username);
    for (const token of [access, id])
      expect(decodeJwt(token)["cognito:groups"]).toEqual(["admins", "writers"]);
    const members = await sdk.send(
      new ListUsersInGroupCommand({ UserPoolId, GroupName: "admins" }),
    );
    expect(members.Users).toHaveLength(1);
    await sdk.send(
      new AdminRemoveUserFromGroupCommand({ UserPoolId, GroupName: "admins", Username }),
    );
    await sdk.send(new DeleteGroupCommand({ UserPoolId, GroupName: "writers" }));
    const own = await sdk.send(new AdminListGroupsForUserCommand({ UserPoolId, Username }));
    expect(own.Groups).toEqual([]);
    const all = await sdk.send(new ListGroupsCommand({ UserPoolId }));
    expect(all.Groups?.map(({ GroupName }) => GroupName)).toEqual(["admins"]);
  });

  it("see pools and clients, and are told to deploy instead of changing them", async () => {
    const { UserPool } = await sdk.send(new DescribeUserPoolCommand({ UserPoolId }));
    expect(UserPool).toMatchObject({
      ...{ Id: UserPoolId, UsernameAttributes: ["email"] },
      Arn: `arn:aws:cognito-idp:us-east-1:000000000000:userpool/${UserPoolId}`,
    });
    const described = new DescribeUserPoolClientCommand({ UserPoolId, ClientId });
    expect((await sdk.send(described)).UserPoolClient).toMatchObject({
      PreventUserExistenceErrors: "ENABLED",
      ExplicitAuthFlows: expect.arrayContaining(["ALLOW_USER_SRP_AUTH"]),
    });
    const clients = await sdk.send(new ListUserPoolClientsCommand({ UserPoolId, MaxResults: 10 }));
    expect(clients.UserPoolClients?.map((client) => client.ClientId)).toEqual([ClientId]);
    const pools = await sdk.send(new ListUserPoolsCommand({ MaxResults: 10 }));
    expect(pools.UserPools?.map(({ Id }) => Id)).toContain(UserPoolId);
    await expect(sdk.send(new CreateUserPoolCommand({ PoolName: "x" }))).rejects.toMatchObject({
      name: "AccessDeniedException",
      message: expect.stringContaining("by deploying the config"),
    });
  });
});

describe("users", () => {
  it("change and verify their own attributes and nothing more", async () => {
    await makeUser(sdk, UserPoolId, Username);
    const { access: AccessToken } = await signIn(sdk, ClientId, Username);
    const update = (Name: string, Value: string) =>
      sdk.send(new UpdateUserAttributesCommand({ AccessToken, UserAttributes: [{ Name, Value }] }));
    await expect(update("email_verified", "true")).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
    await expect(update("sub", "x")).rejects.toMatchObject({ name: "NotAuthorizedException" });
    const email = `other-${Username}`;
    const { CodeDeliveryDetailsList } = await update("email", email);
    expect(CodeDeliveryDetailsList).toMatchObject([{ AttributeName: "email" }]);
    const Code = await fixture.lastCode();
    await sdk.send(new VerifyUserAttributeCommand({ AccessToken, AttributeName: "email", Code }));
    const { UserAttributes } = await sdk.send(new GetUserCommand({ AccessToken }));
    expect(UserAttributes).toContainEqual({ Name: "email_verified", Value: "true" });
    await signIn(sdk, ClientId, email);
    await makeUser(sdk, UserPoolId, `third-${Username}`);
    await expect(update("email", `third-${Username}`)).rejects.toMatchObject({
      name: "UsernameExistsException",
    });
  });

  it("change their password and delete themselves", async () => {
    await makeUser(sdk, UserPoolId, Username);
    const { access: AccessToken } = await signIn(sdk, ClientId, Username);
    const change = (PreviousPassword: string) =>
      sdk.send(
        new ChangePasswordCommand({
          ...{ AccessToken, PreviousPassword, ProposedPassword: "Another-Horse-2" },
        }),
      );
    await expect(change("Wrong-Horse-1")).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
    await change(PASSWORD);
    await signIn(sdk, ClientId, Username, "Another-Horse-2");
    await sdk.send(new DeleteUserCommand({ AccessToken }));
    await expect(sdk.send(new GetUserCommand({ AccessToken }))).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
  });

  it("are told by name of an operation that is not there", async () => {
    await makeUser(sdk, UserPoolId, Username);
    const { access: AccessToken } = await signIn(sdk, ClientId, Username);
    await expect(sdk.send(new SetUserMFAPreferenceCommand({ AccessToken }))).rejects.toMatchObject({
      name: "UnknownOperationException",
      message: "Cognito on the local cloud does not support SetUserMFAPreference",
    });
  });

  it("sign in by a verified alias besides their username", async () => {
    const pool = await fixture.pool("aliases", {
      usernameAttributes: [],
      aliasAttributes: ["email"],
    });
    const client = String((await fixture.client(pool))["id"]);
    const UserAttributes = [{ Name: "email", Value: Username }];
    await expect(
      sdk.send(new SignUpCommand({ ClientId: client, Username, Password: PASSWORD })),
    ).rejects.toMatchObject({ name: "InvalidParameterException" });
    const signUp = { ClientId: client, Username: "Ann", Password: PASSWORD, UserAttributes };
    await sdk.send(new SignUpCommand(signUp));
    const poolId = String(pool["id"]);
    await sdk.send(new AdminConfirmSignUpCommand({ UserPoolId: poolId, Username: "ann" }));
    await signIn(sdk, client, "ANN");
    await expect(signIn(sdk, client, Username)).rejects.toMatchObject({
      name: "NotAuthorizedException",
    });
    const verified = [{ Name: "email_verified", Value: "true" }];
    await sdk.send(
      new AdminUpdateUserAttributesCommand({
        ...{ UserPoolId: poolId, Username: "ann", UserAttributes: verified },
      }),
    );
    await signIn(sdk, client, Username);
    await sdk.send(
      new AdminCreateUserCommand({
        ...{ UserPoolId: poolId, Username: "bob", MessageAction: "SUPPRESS", UserAttributes },
      }),
    );
    const stolen = new AdminUpdateUserAttributesCommand({
      ...{ UserPoolId: poolId, Username: "bob", UserAttributes: verified },
    });
    await expect(sdk.send(stolen)).rejects.toMatchObject({ name: "AliasExistsException" });
  });
});
