/** The 256-entry table of a reflected 32-bit CRC. */
export function crcTable32(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
    return rest >>> 0;
  });
}

/**
 * The table of a reflected 64-bit CRC as pairs of high and low halves: 64-bit integers are slow in
 * JavaScript.
 */
export function crcTable64(polynomial: bigint): Uint32Array {
  const table = new Uint32Array(512);
  for (let byte = 0; byte < 256; byte += 1) {
    let rest = BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1n ? (rest >> 1n) ^ polynomial : rest >> 1n;
    table[byte * 2] = Number(rest >> 32n);
    table[byte * 2 + 1] = Number(rest & 0xffffffffn);
  }
  return table;
}
