import { invalidParameter, notAuthorized } from "../cognito-error.ts";
import type { UserPool } from "../pools/user-pool.ts";
import type { TextMap } from "../stored-json.ts";

/**
 * OpenID Connect's standard claims, which every pool has
 * (docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html).
 */
const STANDARD: ReadonlySet<string> = new Set([
  "address",
  "birthdate",
  "email",
  "family_name",
  "gender",
  "given_name",
  "locale",
  "middle_name",
  "name",
  "nickname",
  "phone_number",
  "picture",
  "preferred_username",
  "profile",
  "updated_at",
  "website",
  "zoneinfo",
]);

const FLAGS: ReadonlySet<string> = new Set(["email_verified", "phone_number_verified"]);
const VALUE_LENGTH_MAX = 2048;

/** Checks what users may write about themselves. @throws CognitoError */
export function checkOwnAttributes(attributes: TextMap): void {
  if (Object.keys(attributes).some((name) => FLAGS.has(name) || name === "sub"))
    throw notAuthorized("A client attempted to write unauthorized attribute");
  checkAttributes(attributes);
}

/** Checks what administrators may write about a user. @throws CognitoError */
export function checkAttributes(attributes: TextMap): void {
  for (const [name, value] of Object.entries(attributes)) checkAttribute(name, value);
}

/** The attributes after a change. A new email address or phone number is not verified. */
export function changeAttributes(before: TextMap, change: TextMap): TextMap {
  const after: Record<string, string> = { ...before, ...change };
  for (const contact of ["email", "phone_number"]) {
    const flag = `${contact}_verified`;
    const isNew = change[contact] !== undefined && change[contact] !== before[contact];
    if (isNew && change[flag] === undefined) after[flag] = "false";
  }
  return after;
}

/**
 * The attributes without the named ones. Whether a contact was verified goes with it.
 *
 * @throws CognitoError `InvalidParameterException` for attributes that no user has, and for those
 * that people sign in with
 */
export function deleteAttributes(
  pool: UserPool,
  before: TextMap,
  names: readonly string[],
): TextMap {
  for (const name of names) {
    if (!FLAGS.has(name)) checkAttribute(name, "");
    if (pool.usernameAttributes.some((contact) => contact === name))
      throw invalidParameter(`Users of this pool sign in with the attribute ${name}.`);
  }
  const gone = new Set(names.flatMap((name) => [name, `${name}_verified`]));
  return Object.fromEntries(Object.entries(before).filter(([name]) => !gone.has(name)));
}

export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>"'(),:;\\[\]]+@[^\s@<>"'(),:;\\[\]]+$/.test(text);
}

/** E.164. */
export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{1,14}$/.test(text);
}

function checkAttribute(name: string, value: string): void {
  if (name === "sub") throw invalidParameter("Cannot modify the non-mutable attribute sub");
  if (FLAGS.has(name)) {
    if (value === "true" || value === "false") return;
    throw invalidParameter(`Attribute value for ${name} must be true or false`);
  }
  if (!STANDARD.has(name))
    throw invalidParameter(
      `Attributes did not conform to the schema: Type for attribute {${name}} could not be determined`,
    );
  if (value.length > VALUE_LENGTH_MAX)
    throw invalidParameter(
      `Attributes did not conform to the schema: ${name}: String must be no longer than ${VALUE_LENGTH_MAX} characters`,
    );
  if (name === "email" && value !== "" && !isEmail(value))
    throw invalidParameter("Invalid email address format.");
  if (name === "phone_number" && value !== "" && !isPhoneNumber(value))
    throw invalidParameter("Invalid phone number format.");
}
