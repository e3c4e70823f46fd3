import { crcTable32 } from "./reflected-crc.ts";

/** Castagnoli's polynomial, reflected (RFC 3720). */
const TABLE = crcTable32(0x82f63b78);

/** Continues a CRC-32C; starts with 0. */
export function crc32c(chunk: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of chunk) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
