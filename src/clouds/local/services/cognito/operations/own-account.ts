import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import { invalidParameter } from "../cognito-error.ts";
import { type Contact, type UserPool, verifiedContacts } from "../pools/user-pool.ts";
import { wrongPassword } from "../sign-in/guess-password.ts";
import { type AccessTokenHolder, openAccessToken } from "../tokens/open-access-token.ts";
import { API_SCOPE } from "../tokens/token-claims.ts";
import { changeAttributes, checkOwnAttributes, deleteAttributes } from "../users/attributes.ts";
import { checkPasswordPolicy } from "../users/check-password-policy.ts";
import { sendCode } from "../users/send-code.ts";
import { useCode } from "../users/use-code.ts";
import type { User } from "../users/user.ts";
import { describeAttributes } from "./describe.ts";
import type { Operation } from "./operation.ts";
import type { OperationInput } from "./operation-input.ts";

/** Operations of users on their own accounts, by access token. */
function own(
  run: (cognito: Cognito, holder: AccessTokenHolder, input: OperationInput) => Promise<JsonObject>,
): Operation {
  return {
    access: "public",
    run: async (cognito, input) => {
      const holder = await openAccessToken(cognito, input.text("AccessToken"), API_SCOPE);
      return await run(cognito, holder, input);
    },
  };
}

export const getUser = own(async (_, { user }) => ({
  Username: user.username,
  UserAttributes: describeAttributes(user.attributes),
}));

export const updateUserAttributes = own(async (cognito, { pool, user }, input) => {
  const change = input.attributes("UserAttributes");
  checkOwnAttributes(change);
  const after = await cognito.store.commit(() => {
    const before = cognito.store.users.require(pool.id, user.username);
    const attributes = changeAttributes(before.attributes, change);
    const changed = { ...before, attributes, modifiedMs: cognito.now() };
    cognito.store.users.change(pool, changed);
    return changed;
  });
  const toVerify = verifiedContacts(pool).filter(
    (contact) => change[contact] && after.attributes[`${contact}_verified`] === "false",
  );
  const deliveries = [];
  for (const contact of toVerify)
    deliveries.push(await sendCode(cognito, pool, after, `verify-${contact}`, contact));
  return { CodeDeliveryDetailsList: deliveries };
});

export const deleteUserAttributes = own(async (cognito, { pool, user }, input) => {
  const names = input.texts("UserAttributeNames");
  await cognito.store.commit(() => {
    const before = cognito.store.users.require(pool.id, user.username);
    const attributes = deleteAttributes(pool, before.attributes, names);
    cognito.store.users.change(pool, { ...before, attributes, modifiedMs: cognito.now() });
  });
  return {};
});

export const getUserAttributeVerificationCode = own(async (cognito, { pool, user }, input) => {
  const contact = contactNamed(input.text("AttributeName"));
  if (!user.attributes[contact]) throw invalidParameter("Attribute to be verified is missing");
  const delivery = await sendCode(cognito, pool, user, `verify-${contact}`, contact);
  return { CodeDeliveryDetails: delivery };
});

export const verifyUserAttribute = own(async (cognito, { pool, user }, input) => {
  const contact = contactNamed(input.text("AttributeName"));
  const code = input.text("Code");
  await useCode(cognito, pool.id, user.username, user, `verify-${contact}`, code, (current) =>
    cognito.store.users.change(pool, verified(cognito, current, contact)),
  );
  return {};
});

export const changePassword = own(async (cognito, { pool, user }, input) => {
  const proposed = input.text("ProposedPassword");
  checkPasswordPolicy(proposed, pool.passwordPolicy);
  await checkPrevious(cognito, pool, user, input.text("PreviousPassword"));
  const password = await cognito.passwords.store(pool, user.username, proposed);
  await cognito.store.commit(() => {
    const current = cognito.store.users.require(pool.id, user.username);
    if (current.password?.hash !== user.password?.hash) throw wrongPassword();
    cognito.store.users.change(pool, { ...current, password, modifiedMs: cognito.now() });
  });
  return {};
});

export const deleteUser = own(async (cognito, { user }) => {
  await cognito.store.commit(() => cognito.store.users.delete(user));
  return {};
});

export const globalSignOut = own(async (cognito, { pool, user }) => {
  await cognito.store.commit(() => cognito.store.grants.revokeAll(pool.id, user.username));
  return {};
});

/** Guesses at the previous password are as limited as sign-ins are. */
async function checkPrevious(
  cognito: Cognito,
  pool: UserPool,
  user: User,
  password: string,
): Promise<void> {
  const { store } = cognito;
  await cognito.turns.take(`${pool.id} ${user.username}`, async () => {
    store.attempts.check(pool.id, "password", user.username, cognito.now());
    if (await cognito.passwords.matches(password, user.password)) return;
    await store.commit(() =>
      store.attempts.fail(pool.id, "password", user.username, cognito.now()),
    );
    throw wrongPassword();
  });
}

function verified(cognito: Cognito, user: User, contact: Contact): User {
  const attributes = { ...user.attributes, [`${contact}_verified`]: "true" };
  return { ...user, attributes, modifiedMs: cognito.now() };
}

function contactNamed(name: string): Contact {
  if (name === "email" || name === "phone_number") return name;
  throw invalidParameter(`The attribute ${name} cannot be verified`);
}
