import { Stream } from "node:stream";
import type { Item } from "./row-store.ts";

/**
 * Rows as the kind of stream that dynalite listens to. It sends nothing by itself: {@link
 * RowStream.pump} sends all of it at once, so that what the listeners throw can be caught.
 */
export class RowStream extends Stream {
  readonly #rows: Iterable<Item>;
  #destroyed = false;

  constructor(rows: Iterable<Item>) {
    super();
    this.#rows = rows;
  }

  /** Called by a listener that has enough. */
  destroy(): void {
    this.#destroyed = true;
  }

  pump(): void {
    for (const row of this.#rows) {
      if (this.#destroyed) return;
      this.emit("data", row);
    }
    if (!this.#destroyed) this.emit("end");
  }
}
