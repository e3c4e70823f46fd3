import type { AwsAccess } from "../account/access.ts";

const CONNECT_TIME_MAX_MS = 5_000;
/** Silence on a connection after which the request is given up. */
const SILENCE_MAX_MS = 60_000;

/**
 * What every client is made with. Where an endpoint is set, be it an emulator or a store that speaks S3, buckets stand
 * in the path, hosts get no prefix, and checksums are sent only where they must be, since many such servers know none.
 */
export function clientSettings({ region, credentials, endpoint }: AwsAccess) {
  const requestHandler = {
    connectionTimeout: CONNECT_TIME_MAX_MS,
    requestTimeout: SILENCE_MAX_MS,
    throwOnRequestTimeout: true,
  };
  if (endpoint === null) return { region, credentials, requestHandler };
  return {
    region,
    credentials,
    requestHandler,
    endpoint,
    forcePathStyle: true,
    disableHostPrefix: true,
    useQueueUrlAsEndpoint: false,
    requestChecksumCalculation: "WHEN_REQUIRED" as const,
    responseChecksumValidation: "WHEN_REQUIRED" as const,
  };
}
