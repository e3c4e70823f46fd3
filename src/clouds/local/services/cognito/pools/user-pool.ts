import type { JsonObject } from "../../../../../model/json.ts";
import { SpecReader } from "./spec-reader.ts";

/** The attributes that codes can be sent to. */
export type Contact = "email" | "phone_number";
export type AliasAttribute = Contact | "preferred_username";

/**
 * docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_PasswordPolicyType.html
 */
export interface PasswordPolicy {
  readonly minimumLength: number;
  readonly requireLowercase: boolean;
  readonly requireUppercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
  readonly temporaryPasswordDays: number;
}

export interface UserPool {
  /** `<region>_<nine letters and digits>` */
  readonly id: string;
  /** In the cloud. */
  readonly name: string;
  /** In the config, for logs. */
  readonly logName: string;
  /** What people sign in with instead of a username; the username is then made up. */
  readonly usernameAttributes: readonly Contact[];
  /** What people may sign in with besides their username, once it is verified. */
  readonly aliasAttributes: readonly AliasAttribute[];
  readonly passwordPolicy: PasswordPolicy;
  /** Whether anyone may sign up, or only administrators make users. */
  readonly selfSignUp: boolean;
  /** Whether it has the pages for signing in and the OAuth endpoints. */
  readonly hostedLogin: boolean;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

const CONTACTS = ["email", "phone_number"] as const;

/** @throws DiagnosticError `USER_POOL_SPEC_INVALID` */
export function parseUserPool(
  identity: Pick<UserPool, "id" | "name" | "createdMs" | "modifiedMs">,
  spec: JsonObject,
): UserPool {
  const reader = new SpecReader(identity.name, spec);
  return {
    ...identity,
    logName: reader.text("name"),
    usernameAttributes: reader.words("usernameAttributes", CONTACTS),
    aliasAttributes: reader.words("aliasAttributes", [...CONTACTS, "preferred_username"]),
    passwordPolicy: parsePolicy(reader.part("passwordPolicy")),
    selfSignUp: reader.flag("selfSignUp"),
    hostedLogin: reader.flag("hostedLogin"),
  };
}

/** The contacts that are verified with a code when somebody signs up. */
export function verifiedContacts(pool: UserPool): readonly Contact[] {
  const attributes: readonly string[] = [...pool.usernameAttributes, ...pool.aliasAttributes];
  return CONTACTS.filter((contact) => attributes.includes(contact));
}

function parsePolicy(reader: SpecReader): PasswordPolicy {
  return {
    minimumLength: reader.count("minimumLength", 6, 99),
    requireLowercase: reader.flag("requireLowercase"),
    requireUppercase: reader.flag("requireUppercase"),
    requireNumbers: reader.flag("requireNumbers"),
    requireSymbols: reader.flag("requireSymbols"),
    temporaryPasswordDays: reader.count("temporaryPasswordDays", 1, 365),
  };
}
