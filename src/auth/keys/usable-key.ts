import {
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  type VerifyKeyObjectInput,
} from "node:crypto";
import type { Algorithm } from "../verify/algorithm.ts";
import { isRoca } from "./is-roca.ts";

/** A public key that may verify signatures, with all that is fixed by it. */
export interface UsableKey {
  readonly keyId: string | undefined;
  /** What it may be used for: one, if the key says which. */
  readonly algorithms: readonly Algorithm[];
  /** Length of every signature in base64url without padding. */
  readonly signatureChars: number;
  /** As node:crypto takes it. */
  readonly verifyKey: VerifyKeyObjectInput;
}

/** Below 2048 bits RSA can be broken (NIST SP 800-131A); above 8192 checking one token takes too long. */
const RSA_BITS_MIN = 2048;
const RSA_BITS_MAX = 8192;
/** 3 is the smallest sound exponent; everyone uses 65537. OpenSSL refuses more than 64 bits for large keys. */
const RSA_EXPONENT_MAX = 0xffff_ffffn;

const RSA_ALGORITHMS: readonly Algorithm[] = ["RS256", "RS384", "RS512"];

/** Each curve has one algorithm (RFC 7518, section 3.4), and its signatures one length in bytes. */
const CURVES = {
  "P-256": { algorithm: "ES256", bytes: 64 },
  "P-384": { algorithm: "ES384", bytes: 96 },
  "P-521": { algorithm: "ES512", bytes: 132 },
} as const;

/**
 * Reads one entry of a key set (RFC 7517, section 4). Symmetric keys, keys for encryption, weak ones and those that
 * cannot be read are null: they are skipped, and the rest of the set is used.
 */
export function usableKey(entry: unknown): UsableKey | null {
  if (!isRecord(entry) || !isForSignatures(entry)) return null;
  const keyId = entry["kid"];
  if (keyId !== undefined && typeof keyId !== "string") return null;
  switch (entry["kty"]) {
    case "RSA":
      return rsaKey(entry, keyId);
    case "EC":
      return ecKey(entry, keyId);
    case "OKP":
      return edKey(entry, keyId);
    default:
      return null;
  }
}

type Entry = Readonly<Record<string, unknown>>;

function isForSignatures(entry: Entry): boolean {
  const { use, key_ops: operations } = entry;
  if (use !== undefined && use !== "sig") return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes("verify"));
}

function rsaKey(entry: Entry, keyId: string | undefined): UsableKey | null {
  const { n, e } = entry;
  if (typeof n !== "string" || typeof e !== "string") return null;
  const key = publicKey({ kty: "RSA", n, e });
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  const exponent = key?.asymmetricKeyDetails?.publicExponent ?? 0n;
  if (bits < RSA_BITS_MIN || bits > RSA_BITS_MAX) return null;
  if (exponent < 3n || exponent > RSA_EXPONENT_MAX || exponent % 2n === 0n) return null;
  if (isRoca(n)) return null;
  return usable(entry, keyId, key, RSA_ALGORITHMS, Math.ceil(bits / 8));
}

function ecKey(entry: Entry, keyId: string | undefined): UsableKey | null {
  const { crv, x, y } = entry;
  if (crv !== "P-256" && crv !== "P-384" && crv !== "P-521") return null;
  if (typeof x !== "string" || typeof y !== "string") return null;
  const { algorithm, bytes } = CURVES[crv];
  return usable(entry, keyId, publicKey({ kty: "EC", crv, x, y }), [algorithm], bytes);
}

function edKey(entry: Entry, keyId: string | undefined): UsableKey | null {
  const { crv, x } = entry;
  if (crv !== "Ed25519" || typeof x !== "string") return null;
  return usable(entry, keyId, publicKey({ kty: "OKP", crv, x }), ["EdDSA"], 64);
}

/** A key that says its `alg` is for nothing else, so one that names what we do not use is for nothing. */
function usable(
  { alg }: Entry,
  keyId: string | undefined,
  key: KeyObject | null,
  possible: readonly Algorithm[],
  signatureBytes: number,
): UsableKey | null {
  const algorithms = possible.filter((algorithm) => alg === undefined || alg === algorithm);
  if (key === null || algorithms.length === 0) return null;
  const signatureChars = Math.ceil((signatureBytes * 4) / 3);
  // JWS puts r and s of ECDSA side by side (RFC 7518, section 3.4); the option means nothing to other keys.
  return { keyId, algorithms, signatureChars, verifyKey: { key, dsaEncoding: "ieee-p1363" } };
}

/** Of public members only: what else a key set holds by mistake stays out. */
function publicKey(jwk: JsonWebKey): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
