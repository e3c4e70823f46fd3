import { crcTable64 } from "./reflected-crc.ts";

/**
 * The polynomial of the NVM Express specification, reflected: 0xAD93D23594C93659 read backwards.
 */
const TABLE = crcTable64(0x9a6c9329ac4bc9b5n);

/** CRC-64/NVME of a stream, in two 32-bit halves. */
export class Crc64Nvme {
  #high = 0xffffffff;
  #low = 0xffffffff;

  update(chunk: Uint8Array): void {
    let high = this.#high;
    let low = this.#low;
    for (const byte of chunk) {
      const index = ((low ^ byte) & 0xff) * 2;
      low = ((low >>> 8) | (high << 24)) ^ (TABLE[index + 1] ?? 0);
      high = (high >>> 8) ^ (TABLE[index] ?? 0);
    }
    this.#high = high;
    this.#low = low;
  }

  /** Eight bytes, big-endian. */
  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE(~this.#high >>> 0, 0);
    bytes.writeUInt32BE(~this.#low >>> 0, 4);
    return bytes;
  }
}
