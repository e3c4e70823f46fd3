import { JwksUnavailable } from "../auth-error.ts";
import { fetchText } from "../http/fetch-text.ts";
import { KeySet } from "./key-set.ts";

/** Of one fetch; a real key set has a few kilobytes. */
const BYTES_MAX = 512 * 1024;
/** Less than an authorizer may take, so that an issuer that hangs is told as such, and its last keys still serve. */
const TIMEOUT_MS = 3_000;

/** Addresses come from configuration, so there are few; the bound is for code that makes them up. */
const KEY_SETS_MAX = 100;
const keySets = new Map<string, KeySet>();

/** The key set at an address: one for everyone who asks for the same address. */
export function keySetAt(url: URL): KeySet {
  return shared(url.href, () => fetchDocument(url));
}

/**
 * The key set that an issuer's document names: OpenID Connect Discovery 1.0. Two issuers may have one document, such as
 * with and without a slash at the end, and it is right for one of them only.
 *
 * @param locate finds its address; asked again when fetching fails. @throws JwksUnavailable
 */
export function discoveredKeySet(
  issuer: string,
  discoveryUrl: URL,
  locate: (document: string) => URL,
): KeySet {
  let found: URL | null = null;
  return shared(`discovery ${issuer}`, async () => {
    const url = found ?? locate(await fetchDocument(discoveryUrl));
    found = null;
    const text = await fetchDocument(url);
    found = url;
    return text;
  });
}

function shared(name: string, fetch: () => Promise<string>): KeySet {
  const existing = keySets.get(name);
  if (existing !== undefined) return existing;
  const keySet = new KeySet({ fetch, nowMs: Date.now });
  if (keySets.size >= KEY_SETS_MAX) keySets.clear();
  keySets.set(name, keySet);
  return keySet;
}

async function fetchDocument(url: URL): Promise<string> {
  const request = { url, method: "GET", bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS } as const;
  const { status, text } = await fetchText(request).catch((error: Error) => {
    throw new JwksUnavailable(error.message);
  });
  if (status !== 200) throw new JwksUnavailable(`${url.host} answered with status ${status}`);
  return text;
}
