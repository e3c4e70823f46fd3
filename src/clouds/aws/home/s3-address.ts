import { fail } from "../../../model/diagnostic.ts";

/** What a home `s3://bucket/folder?endpoint=...&region=...&profile=...` says. */
export interface S3Address {
  readonly bucket: string;
  /** Empty, or ending with a slash. */
  readonly prefix: string;
  readonly endpoint: string | null;
  readonly region: string | null;
  /** Profile of the credentials for the bucket, where they are not those that stages are deployed with. */
  readonly profile: string | null;
}

const OPTIONS: readonly string[] = ["endpoint", "region", "profile"];
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;

/** Null for a home of another kind. @throws DiagnosticError `HOME_ADDRESS_INVALID` (exit 2) */
export function parseS3Address(home: string): S3Address | null {
  const match = /^s3:\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(home);
  if (!home.startsWith("s3://")) return null;
  if (match === null) throw invalid(home, "it is not of the form s3://bucket/folder?endpoint=...");
  const [, bucket = "", path = "", query = ""] = match;
  const prefix = path === "" || path.endsWith("/") ? path : `${path}/`;
  if (!BUCKET.test(bucket)) throw invalid(home, `${JSON.stringify(bucket)} is not a bucket's name`);
  if (!PREFIX.test(prefix)) throw invalid(home, `${JSON.stringify(path)} is not a folder`);
  const options = new URLSearchParams(query);
  for (const name of options.keys()) {
    if (!OPTIONS.includes(name)) throw invalid(home, `it has no option ${JSON.stringify(name)}`);
  }
  const endpoint = options.get("endpoint") || null;
  if (endpoint !== null && !isEndpoint(endpoint)) {
    throw invalid(home, `${JSON.stringify(endpoint)} is not an http or https address`);
  }
  const region = options.get("region") || null;
  return { bucket, prefix, endpoint, region, profile: options.get("profile") || null };
}

function isEndpoint(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function invalid(home: string, why: string): Error {
  return fail("HOME_ADDRESS_INVALID", `${JSON.stringify(home)} is not an address of a home`, {
    why: `In it, ${why}.`,
    hint: 'Write it like "s3://my-state" or "s3://my-state/team?endpoint=https://s3.example.com".',
  });
}
