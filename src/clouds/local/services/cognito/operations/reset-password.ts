import type { Cognito } from "../cognito.ts";
import { invalidParameter, notAuthorized, userNotFound } from "../cognito-error.ts";
import type { Contact, UserPool } from "../pools/user-pool.ts";
import { checkPasswordPolicy } from "../users/check-password-policy.ts";
import { pretendToSend, sendCode } from "../users/send-code.ts";
import { useCode } from "../users/use-code.ts";
import type { User } from "../users/user.ts";
import type { Operation } from "./operation.ts";
import { callerOf } from "./sign-up.ts";

export const forgotPassword: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const { client, pool, username } = callerOf(cognito, input);
    const user = cognito.store.users.find(pool.id, username);
    if (client.hidesUserExistence && (user === null || contactOf(user) === null))
      return { CodeDeliveryDetails: await pretendToSend(cognito, pool, username) };
    if (user === null) throw userNotFound();
    const contact = recoveryContact(user);
    return { CodeDeliveryDetails: await sendCode(cognito, pool, user, "reset", contact) };
  },
};

export const confirmForgotPassword: Operation = {
  access: "public",
  run: async (cognito, input) => {
    const { client, pool, username } = callerOf(cognito, input);
    const code = input.text("ConfirmationCode");
    const password = input.text("Password");
    checkPasswordPolicy(password, pool.passwordPolicy);
    const user = cognito.store.users.find(pool.id, username);
    if (user === null && !client.hidesUserExistence) throw userNotFound();
    const subject = user?.username ?? username;
    cognito.store.attempts.check(pool.id, "code", subject, cognito.now());
    const stored = await cognito.passwords.store(pool, subject, password);
    await useCode(cognito, pool.id, subject, user, "reset", code, (current) =>
      cognito.store.users.change(pool, {
        ...current,
        status: "CONFIRMED",
        password: stored,
        temporaryUntilMs: 0,
        modifiedMs: cognito.now(),
      }),
    );
    return {};
  },
};

export const adminResetUserPassword: Operation = {
  access: "signed",
  run: async (cognito, input) => {
    const pool = cognito.store.pools.require(input.text("UserPoolId"));
    const user = cognito.store.users.require(pool.id, input.text("Username"));
    const contact = recoveryContact(user);
    const reset = await markForReset(cognito, pool, user);
    await sendCode(cognito, pool, reset, "reset", contact);
    return {};
  },
};

/** Where a code for a new password can go; null for users who cannot get one. */
function contactOf(user: User): Contact | null {
  const isSettled = user.status === "CONFIRMED" || user.status === "RESET_REQUIRED";
  if (!user.enabled || !isSettled) return null;
  const contacts = ["phone_number", "email"] as const;
  const isVerified = (name: Contact) => user.attributes[`${name}_verified`] === "true";
  return contacts.find((name) => user.attributes[name] && isVerified(name)) ?? null;
}

/** {@link contactOf}. @throws CognitoError that says why there is none */
function recoveryContact(user: User): Contact {
  const contact = contactOf(user);
  if (contact !== null) return contact;
  if (!user.enabled) throw notAuthorized("User is disabled.");
  if (user.status === "FORCE_CHANGE_PASSWORD")
    throw notAuthorized("User password cannot be reset in the current state.");
  throw invalidParameter(
    "Cannot reset password for the user as there is no registered/verified email or phone_number",
  );
}

async function markForReset(cognito: Cognito, pool: UserPool, user: User): Promise<User> {
  const { store } = cognito;
  return await store.commit(() => {
    const current = store.users.require(pool.id, user.username);
    const after: User = { ...current, status: "RESET_REQUIRED", modifiedMs: cognito.now() };
    store.users.change(pool, after);
    return after;
  });
}
