/** Reads lines and counted bytes from a stream without holding more of it than one line. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /**
   * The text before the next CRLF, which is consumed; null when the stream ends or the line is
   * longer than `max`.
   */
  async line(max: number): Promise<string | null> {
    for (;;) {
      const at = this.#buffer.indexOf("\r\n");
      if (at >= 0 && at <= max) {
        const line = this.#buffer.toString("latin1", 0, at);
        this.#buffer = this.#buffer.subarray(at + 2);
        return line;
      }
      if (this.#buffer.length > max + 1 || !(await this.#fill())) return null;
    }
  }

  /** From 1 to `max` bytes; null when the stream has ended. */
  async take(max: number): Promise<Buffer | null> {
    if (this.#buffer.length === 0 && !(await this.#fill())) return null;
    const taken = this.#buffer.subarray(0, max);
    this.#buffer = this.#buffer.subarray(taken.length);
    return taken;
  }

  async #fill(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#buffer =
      this.#buffer.length === 0 ? next.value : Buffer.concat([this.#buffer, next.value]);
    return true;
  }
}
