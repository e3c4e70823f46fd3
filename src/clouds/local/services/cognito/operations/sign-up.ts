import type { Cognito } from "../cognito.ts";
import { type CognitoError, invalidParameter, notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import { type Contact, type UserPool, verifiedContacts } from "../pools/user-pool.ts";
import { checkSecretHash } from "../sign-in/check-secret-hash.ts";
import type { TextMap } from "../stored-json.ts";
import { checkOwnAttributes } from "../users/attributes.ts";
import { checkPasswordPolicy } from "../users/check-password-policy.ts";
import { newUser } from "../users/new-user.ts";
import { pretendToSend, sendCode } from "../users/send-code.ts";
import { useCode } from "../users/use-code.ts";
import type { User } from "../users/user.ts";
import type { Operation } from "./operation.ts";
import type { OperationInput } from "./operation-input.ts";

export const signUp: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const { pool, username } = callerOf(cognito, input);
    const attributes = input.attributes("UserAttributes");
    const user = await register(cognito, pool, username, input.text("Password"), attributes);
    const contact = contactOf(pool, user);
    const delivery =
      contact === null ? null : await sendCode(cognito, pool, user, "sign-up", contact);
    return {
      UserConfirmed: false,
      UserSub: user.attributes["sub"] ?? "",
      ...(delivery === null ? {} : { CodeDeliveryDetails: delivery }),
    };
  },
};

export const confirmSignUp: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const { client, pool, username } = callerOf(cognito, input);
    const code = input.text("ConfirmationCode");
    const user = cognito.store.users.find(pool.id, username);
    if (user === null && !client.hidesUserExistence) cognito.store.users.require(pool.id, username);
    if (user !== null && user.status !== "UNCONFIRMED") throw cannotConfirm(user);
    const subject = user?.username ?? username;
    await useCode(cognito, pool.id, subject, user, "sign-up", code, (current) =>
      cognito.store.users.change(pool, confirmed(cognito, pool, current)),
    );
    return {};
  },
};

export const resendConfirmationCode: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const { client, pool, username } = callerOf(cognito, input);
    const user = client.hidesUserExistence
      ? cognito.store.users.find(pool.id, username)
      : cognito.store.users.require(pool.id, username);
    if (user === null) return { CodeDeliveryDetails: await pretendToSend(cognito, pool, username) };
    if (user.status !== "UNCONFIRMED") throw invalidParameter("User is already confirmed.");
    const contact = contactOf(pool, user);
    if (contact === null)
      throw invalidParameter("Auto verification not turned on or no attribute to verify.");
    return { CodeDeliveryDetails: await sendCode(cognito, pool, user, "sign-up", contact) };
  },
};

/** A user as a confirmed one; what the code was sent to is verified. */
export function confirmed(cognito: Cognito, pool: UserPool, user: User): User {
  const contact = contactOf(pool, user);
  const proof = contact === null ? {} : { [`${contact}_verified`]: "true" };
  return {
    ...user,
    status: "CONFIRMED",
    attributes: { ...user.attributes, ...proof },
    modifiedMs: cognito.now(),
  };
}

/** Client, pool and username of an operation that everybody may call. @throws CognitoError */
export function callerOf(
  cognito: Cognito,
  input: OperationInput,
): { readonly client: PoolClient; readonly pool: UserPool; readonly username: string } {
  const client = cognito.store.clients.require(input.text("ClientId"));
  const username = input.text("Username");
  checkSecretHash(client, username, input.textOrNull("SecretHash"));
  return { client, pool: cognito.store.pools.require(client.pool), username };
}

async function register(
  cognito: Cognito,
  pool: UserPool,
  username: string,
  password: string,
  attributes: TextMap,
): Promise<User> {
  if (!pool.selfSignUp) throw notAuthorized("SignUp is not permitted for this user pool");
  checkOwnAttributes(attributes);
  checkPasswordPolicy(password, pool.passwordPolicy);
  const state = { status: "UNCONFIRMED", password: null, temporaryUntilMs: 0 } as const;
  const draft = newUser(pool, username, attributes, { ...state, nowMs: cognito.now() });
  const user = {
    ...draft,
    password: await cognito.passwords.store(pool, draft.username, password),
  };
  await cognito.store.commit(() => cognito.store.users.add(pool, user));
  return user;
}

/** Where the code of a new user goes: a phone number before an email address, as Cognito does. */
function contactOf(pool: UserPool, user: User): Contact | null {
  const contacts = verifiedContacts(pool).filter((contact) => user.attributes[contact]);
  return contacts.includes("phone_number") ? "phone_number" : (contacts[0] ?? null);
}

function cannotConfirm(user: User): CognitoError {
  return notAuthorized(`User cannot be confirmed. Current status is ${user.status}`);
}
