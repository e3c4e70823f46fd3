import type { fromNodeProviderChain } from "@aws-sdk/credential-providers";

/** Gives credentials, and fresh ones when they expire. */
export type Credentials = ReturnType<typeof fromNodeProviderChain>;

/** How calls reach AWS, or what stands in for it. */
export interface AwsAccess {
  readonly region: string;
  readonly credentials: Credentials;
  /** Of an emulator, or of a store that speaks S3; null for AWS itself. */
  readonly endpoint: string | null;
  /** Profile that the credentials are of; null for whatever the environment offers. */
  readonly profile: string | null;
}
