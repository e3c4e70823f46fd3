import type { CognitoUserPoolNode, SignInAlias, UserPoolDomain } from "../node.ts";
import { componentName } from "../options/component-name.ts";
import { list, type Members, object, optional, type Parse } from "../options/parse.ts";
import { matching, oneOf, text } from "../options/scalars.ts";
import { type Transform, transforms } from "../transform.ts";

export interface CognitoUserPoolArgs {
  /**
   * What users sign in with instead of a username of their own. It cannot be changed later.
   * @default They choose a username.
   */
  usernames?: ("email" | "phone")[];
  /**
   * What users may sign in with besides their username, once it is verified: "email", "phone",
   * "preferred_username". It cannot be changed later. Every other word is an earlier name of this
   * component.
   */
  aliases?: string[];
  /** Texts of the messages that carry codes; `{####}` stands for the code. */
  verify?: VerifyArgs;
  /**
   * The address of the hosted login: `true` for one made of the app and the stage, a prefix of the
   * cloud's own domain, or a domain of your own.
   * @default There is no hosted login.
   */
  domain?: boolean | string | DomainPrefixArgs;
  /** Changes what the cloud is asked for. */
  transform?: CognitoUserPoolTransforms;
}

export interface VerifyArgs {
  emailSubject?: string;
  emailMessage?: string;
  smsMessage?: string;
}

export interface DomainPrefixArgs {
  /** Unique in the region, whoever's it is. */
  prefix: string;
}

export interface CognitoUserPoolTransforms {
  userPool?: Transform;
}

const SIGN_IN_ALIASES: readonly SignInAlias[] = ["email", "phone", "preferred_username"];

const messageWithCode: Parse<string> = (value, at) => {
  const message = text(value, at);
  if (!message.includes("{####}")) throw at.invalid(value, "a text that contains {####}");
  return message;
};

const verify = object({
  emailSubject: optional(text, null),
  emailMessage: optional(messageWithCode, null),
  smsMessage: optional(messageWithCode, null),
} satisfies Members<VerifyArgs>);

// docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolDomain.html
const prefix: Parse<string> = (value, at) => {
  const form = matching(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    "1 to 63 lower-case letters, digits and hyphens, a hyphen neither first nor last",
  );
  const parsed = form(value, at);
  const reserved = ["aws", "amazon", "cognito"].find((word) => parsed.includes(word));
  if (reserved !== undefined) throw at.invalid(value, `a text without "${reserved}"`);
  return parsed;
};

const domainPrefix = object({ prefix } satisfies Members<DomainPrefixArgs>);

const domainName = matching(
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  'true, { prefix: "..." } or a domain of your own such as "auth.example.com"',
);

const domain: Parse<UserPoolDomain | null> = (value, at) => {
  if (value === undefined || value === false) return null;
  if (value === true) return { kind: "prefix", prefix: null };
  if (typeof value === "string") return { kind: "custom", name: domainName(value, at) };
  return { kind: "prefix", prefix: domainPrefix(value, at).prefix };
};

/** Names of components begin with a capital letter by custom, so the three words are free. */
const aliasWord: Parse<string> = (value, at) =>
  SIGN_IN_ALIASES.find((word) => word === value) ?? componentName(value, at);

const parse = object(
  {
    usernames: optional(list(oneOf("email", "phone")), []),
    aliases: optional(list(aliasWord), []),
    verify: optional(verify, null),
    domain,
    transform: transforms("userPool"),
  } satisfies Members<CognitoUserPoolArgs>,
  ["advancedSecurity", "mfa", "sms", "smsAuthenticationMessage", "softwareToken", "triggers"],
);

type CognitoUserPoolOptions = Omit<CognitoUserPoolNode, "kind" | "name" | "source" | "clients">;

/** The options of `scrim.aws.CognitoUserPool`. */
export const cognitoUserPoolOptions: Parse<CognitoUserPoolOptions> = (value, at) => {
  const { aliases: words, ...parsed } = parse(value, at);
  const signInAliases = SIGN_IN_ALIASES.filter((alias) => words.includes(alias));
  const aliases = words.filter((word) => !SIGN_IN_ALIASES.some((alias) => alias === word));
  if (parsed.usernames.length > 0 && signInAliases.length > 0) {
    throw at.key("aliases").problem("OPTION_INVALID", `${at} has both usernames and aliases`, {
      why: "Users sign in with an email address or phone number either instead of a username or besides it.",
      hint: "Keep one of the two options.",
    });
  }
  return { ...parsed, aliases, signInAliases };
};
