import { createHash } from "node:crypto";
import { zipFiles } from "../../../../bundle/zip.ts";
import type { OwnershipTags } from "../../../../engine/handler.ts";
import type { JsonObject } from "../../../../model/json.ts";
import { type LinkProperties, sealLinks } from "../../../../runtime/seal-links.ts";
import { isObject } from "../input-parsers.ts";
import { joinZips } from "./join-zips.ts";

/** Beside the code; the runtime helpers open it. */
export const LINKS_FILE = "resource.enc";

/** Code as Lambda takes it. */
export interface FunctionCode {
  readonly zip: Uint8Array;
  /** As Lambda tells it: base64 of the SHA-256 of the zip. */
  readonly sha256: string;
  /** Opens the links; the function's `SCRIM_KEY`. */
  readonly key: string;
}

/**
 * The zip of a bundle with its links sealed beside the code.
 *
 * @param key of the function as it is, so that neither the code nor the environment is ever without its other half
 * @throws Error when a link is no object
 */
export function functionCode(
  bundle: Uint8Array,
  links: JsonObject,
  { "scrim:app": name, "scrim:stage": stage }: OwnershipTags,
  key?: string,
): FunctionCode {
  const sealed = sealLinks({ ...propertiesOf(links), App: { name, stage } }, key);
  const file = { content: sealed.file, executable: false };
  const zip = joinZips(bundle, zipFiles(new Map([[LINKS_FILE, file]])));
  return { zip, sha256: createHash("sha256").update(zip).digest("base64"), key: sealed.key };
}

function propertiesOf(links: JsonObject): LinkProperties {
  const entries = Object.entries(links).map(([name, properties]) => {
    if (!isObject(properties)) throw new Error(`the link ${name} is not an object`);
    return [name, properties] as const;
  });
  return Object.fromEntries(entries);
}
