import type {
  UserPoolType,
  VerifiedAttributeType,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Inputs } from "../../../../engine/handler.ts";
import {
  booleanIn,
  numberIn,
  objectIn,
  objectOrNullIn,
  stringOrNullIn,
  stringsIn,
} from "../input-parsers.ts";

/** What of a user pool can be changed later, too. */
export function userPoolSettings(inputs: Inputs) {
  const policy = objectIn(inputs, "passwordPolicy");
  return {
    Policies: {
      PasswordPolicy: {
        MinimumLength: numberIn(policy, "minimumLength"),
        RequireLowercase: booleanIn(policy, "requireLowercase"),
        RequireUppercase: booleanIn(policy, "requireUppercase"),
        RequireNumbers: booleanIn(policy, "requireNumbers"),
        RequireSymbols: booleanIn(policy, "requireSymbols"),
        TemporaryPasswordValidityDays: numberIn(policy, "temporaryPasswordDays"),
      },
    },
    AutoVerifiedAttributes: verifiedAttributes(inputs),
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: !booleanIn(inputs, "selfSignUp") },
    VerificationMessageTemplate: messagesOf(inputs),
  };
}

/**
 * What an update must say again because it would be reset, though none of it is ours: somebody may have set it by
 * hand (docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserPool.html).
 */
export function settingsOfOthers(pool: UserPoolType) {
  const { LambdaConfig, MfaConfiguration, SmsConfiguration, EmailConfiguration } = pool;
  const { DeviceConfiguration, UserPoolAddOns, AccountRecoverySetting } = pool;
  const { UserAttributeUpdateSettings, DeletionProtection, UserPoolTier } = pool;
  const kept = {
    ...{ LambdaConfig, MfaConfiguration, SmsConfiguration, EmailConfiguration },
    ...{ DeviceConfiguration, UserPoolAddOns, AccountRecoverySetting },
    ...{ UserAttributeUpdateSettings, DeletionProtection, UserPoolTier },
  };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** A code can be sent by mail without further ado; for text messages the account must be set up first. */
function verifiedAttributes(inputs: Inputs): VerifiedAttributeType[] {
  const names = [
    ...stringsIn(inputs, "usernameAttributes"),
    ...stringsIn(inputs, "aliasAttributes"),
  ];
  return names.includes("email") ? ["email"] : [];
}

function messagesOf(inputs: Inputs) {
  const verify = objectOrNullIn(inputs, "verify") ?? {};
  const subject = stringOrNullIn(verify, "emailSubject");
  const message = stringOrNullIn(verify, "emailMessage");
  const sms = stringOrNullIn(verify, "smsMessage");
  return {
    DefaultEmailOption: "CONFIRM_WITH_CODE" as const,
    ...(subject === null ? {} : { EmailSubject: subject }),
    ...(message === null ? {} : { EmailMessage: message }),
    ...(sms === null ? {} : { SmsMessage: sms }),
  };
}
