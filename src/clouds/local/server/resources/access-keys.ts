import { createHash, createHmac } from "node:crypto";

/**
 * Credentials of one stage for the data services; they open nothing but that stage's data on this
 * machine.
 */
export interface StageCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Twenty characters as AWS writes them; which stage they stand for is told by comparing. */
export function accessKeyIdOf(stageKey: string): string {
  const hash = createHash("sha256").update(`access\0${stageKey}`).digest("hex");
  return `SCRIM${hash.slice(0, 15).toUpperCase()}`;
}

/** @param accessKey the server's key for this purpose */
export function credentialsOf(stageKey: string, accessKey: Buffer): StageCredentials {
  const secret = createHmac("sha256", accessKey).update(stageKey).digest("base64url");
  return { accessKeyId: accessKeyIdOf(stageKey), secretAccessKey: secret };
}
