import type { IncomingMessage } from "node:http";
import { CognitoError } from "./cognito-error.ts";

/** Larger than any request of the API or form of the hosted pages. */
const BODY_BYTES_MAX = 256 * 1024;

/** The whole body. @throws CognitoError `SerializationException` when it is too large */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX)
      throw new CognitoError("SerializationException", "The request is larger than 256 KiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
