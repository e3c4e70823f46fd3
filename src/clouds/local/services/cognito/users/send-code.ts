import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import { type Contact, type UserPool, verifiedContacts } from "../pools/user-pool.ts";
import type { CodePurpose } from "./code-table.ts";
import type { User } from "./user.ts";

const WHAT_FOR: Readonly<Record<CodePurpose, string>> = {
  "sign-up": "confirms the sign-up of",
  reset: "resets the password of",
  "verify-email": "verifies the address",
  "verify-phone_number": "verifies the number",
};

/**
 * Makes a code, durable when it resolves, and puts it into the log. Twenty codes an hour and user.
 *
 * @returns where it went, as the API tells it
 * @throws CognitoError `LimitExceededException`
 */
export async function sendCode(
  cognito: Cognito,
  pool: UserPool,
  user: User,
  purpose: CodePurpose,
  contact: Contact,
): Promise<JsonObject> {
  const destination = user.attributes[contact] ?? "";
  const { store } = cognito;
  const code = await store.commit(() => {
    const nowMs = cognito.now();
    store.attempts.check(pool.id, "send", user.username, nowMs);
    store.attempts.fail(pool.id, "send", user.username, nowMs);
    return store.codes.make(pool.id, user.username, purpose, nowMs);
  });
  cognito.deliver(pool, `Code ${code} ${WHAT_FOR[purpose]} ${destination}`);
  return deliveryDetails(contact, destination);
}

/**
 * Does as if a code was sent to somebody who does not exist or cannot get one: as slow, as limited
 * and with the same answer.
 *
 * @throws CognitoError `LimitExceededException`
 */
export async function pretendToSend(
  cognito: Cognito,
  pool: UserPool,
  name: string,
): Promise<JsonObject> {
  const { attempts } = cognito.store;
  await cognito.store.commit(() => {
    attempts.check(pool.id, "send", name, cognito.now());
    attempts.fail(pool.id, "send", name, cognito.now());
  });
  const contact = verifiedContacts(pool)[0] ?? "email";
  return deliveryDetails(contact, name.includes("@") ? name : `${name}@example.com`);
}

/** Where a code went, as far as everybody may know: `a***@e***`. */
function deliveryDetails(contact: Contact, destination: string): JsonObject {
  return {
    Destination: contact === "email" ? maskEmail(destination) : maskPhone(destination),
    DeliveryMedium: contact === "email" ? "EMAIL" : "SMS",
    AttributeName: contact,
  };
}

function maskEmail(address: string): string {
  const [local = "", domain = ""] = address.split("@");
  return `${local.charAt(0)}***@${domain.charAt(0)}***`;
}

function maskPhone(number: string): string {
  return `+*******${number.slice(-4)}`;
}
