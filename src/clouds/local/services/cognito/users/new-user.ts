import { randomUUID } from "node:crypto";
import { invalidParameter } from "../cognito-error.ts";
import type { Contact, UserPool } from "../pools/user-pool.ts";
import type { TextMap } from "../stored-json.ts";
import { isEmail, isPhoneNumber } from "./attributes.ts";
import type { User } from "./user.ts";

/** Letters, marks, symbols, digits and punctuation of any script, as Cognito takes them. */
const USERNAME = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u;

/**
 * A user that is not stored yet. Where people sign in with an email address or phone number, that
 * is what they give as their name, and the username is a made-up one, the `sub`.
 *
 * @throws CognitoError `InvalidParameterException` for a name of the wrong form
 */
export function newUser(
  pool: UserPool,
  name: string,
  attributes: TextMap,
  rest: Pick<User, "status" | "password" | "temporaryUntilMs"> & { readonly nowMs: number },
): User {
  const sub = randomUUID();
  const { nowMs, ...state } = rest;
  const own = pool.usernameAttributes.length === 0 ? null : contactOf(pool, name);
  if (own === null) checkUsername(pool, name);
  return {
    pool: pool.id,
    username: own === null ? name.toLowerCase() : sub,
    enabled: true,
    attributes: {
      sub,
      ...attributes,
      ...(own === null ? {} : contactAttribute(own, name, attributes)),
    },
    createdMs: nowMs,
    modifiedMs: nowMs,
    ...state,
  };
}

function contactOf(pool: UserPool, name: string): Contact {
  const fits = { email: isEmail, phone_number: isPhoneNumber };
  const found = pool.usernameAttributes.find((contact) => fits[contact](name));
  if (found !== undefined) return found;
  const wanted = pool.usernameAttributes.map((contact) =>
    contact === "email" ? "an email" : "a phone number",
  );
  throw invalidParameter(`Username should be ${wanted.join(" or ")}.`);
}

function contactAttribute(contact: Contact, name: string, attributes: TextMap): TextMap {
  const given = attributes[contact];
  if (given !== undefined && given.toLowerCase() !== name.toLowerCase())
    throw invalidParameter(`The ${contact} attribute is not the Username.`);
  return { [contact]: name };
}

function checkUsername(pool: UserPool, name: string): void {
  if (!USERNAME.test(name))
    throw invalidParameter(
      "1 validation error detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+",
    );
  if (pool.aliasAttributes.includes("email") && isEmail(name))
    throw invalidParameter(
      "Username cannot be of email format, since user pool is configured for email alias.",
    );
  if (pool.aliasAttributes.includes("phone_number") && isPhoneNumber(name))
    throw invalidParameter(
      "Username cannot be of phone number format, since user pool is configured for phone number alias.",
    );
}
