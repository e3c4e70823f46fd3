import { fail } from "../model/diagnostic.ts";

const BYTES_MAX = 1024 * 1024;

/**
 * All of standard input as text.
 *
 * @throws DiagnosticError `INPUT_TOO_LARGE`, `INPUT_INVALID` (exit 2)
 */
export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BYTES_MAX) {
      throw fail("INPUT_TOO_LARGE", "Standard input holds more than 1 MiB", {
        hint: "Check what is piped into the command.",
      });
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw fail("INPUT_INVALID", "Standard input is not UTF-8 text", {
      hint: "Encode bytes as text, for example with base64, and decode them in the handler.",
    });
  }
}
