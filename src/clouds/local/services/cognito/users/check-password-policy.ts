import { invalidParameter, invalidPassword } from "../cognito-error.ts";
import type { PasswordPolicy } from "../pools/user-pool.ts";

/** What Cognito takes as symbols, the space inside of a password aside. */
const SYMBOL = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+-]/;
const LENGTH_MAX = 256;

/** @throws CognitoError `InvalidPasswordException`, in Cognito's words */
export function checkPasswordPolicy(password: string, policy: PasswordPolicy): void {
  if (password.length > LENGTH_MAX || password.trim() !== password || password === "")
    throw invalidParameter(
      "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$",
    );
  const problem = problemOf(password, policy);
  if (problem !== null) throw invalidPassword(`Password did not conform with policy: ${problem}`);
}

function problemOf(password: string, policy: PasswordPolicy): string | null {
  if (password.length < policy.minimumLength) return "Password not long enough";
  if (policy.requireUppercase && !/[A-Z]/.test(password))
    return "Password must have uppercase characters";
  if (policy.requireLowercase && !/[a-z]/.test(password))
    return "Password must have lowercase characters";
  if (policy.requireNumbers && !/\d/.test(password)) return "Password must have numeric characters";
  if (policy.requireSymbols && !SYMBOL.test(password) && !password.includes(" "))
    return "Password must have symbol characters";
  return null;
}
