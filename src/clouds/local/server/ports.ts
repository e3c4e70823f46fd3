import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { EXIT, fail } from "../../../model/diagnostic.ts";

/**
 * Ports of the local cloud: a range that neither the usual servers nor the systems' ephemeral ports
 * use.
 */
export const FIRST_PORT = 20_000;
export const LAST_PORT = 29_999;

/**
 * Which ports of a home are given away. One for the whole server; every port it tells is recorded
 * by the caller.
 */
export interface PortBook {
  /** Marks a port that is already recorded. */
  take(port: number): void;
  release(port: number): void;
  /**
   * Picks a port that nothing listens on: first a hash of `identity`, so that the same API tends to
   * get the same port on every machine, then upward. Marks it as taken.
   *
   * @throws DiagnosticError `LOCAL_PORTS_EXHAUSTED` (exit 1)
   */
  pick(identity: readonly string[]): Promise<number>;
}

/** @param isFree injected for tests; by default tries to listen on the loopback address */
export function createPortBook(isFree: (port: number) => Promise<boolean> = canListen): PortBook {
  const taken = new Set<number>();
  return {
    take: (port) => void taken.add(port),
    release: (port) => void taken.delete(port),
    pick: async (identity) => {
      const count = LAST_PORT - FIRST_PORT + 1;
      const start = firstTry(identity) - FIRST_PORT;
      for (let offset = 0; offset < count; offset += 1) {
        const port = FIRST_PORT + ((start + offset) % count);
        if (taken.has(port)) continue;
        taken.add(port);
        if (await isFree(port)) return port;
        taken.delete(port);
      }
      throw fail("LOCAL_PORTS_EXHAUSTED", `No port from ${FIRST_PORT} to ${LAST_PORT} is free`, {
        hint: "Stop programs that listen on these ports, or remove stages that are not needed.",
        exit: EXIT.failed,
      });
    },
  };
}

/** The port that is tried first for an identity such as home id, app, stage and API. */
export function firstTry(identity: readonly string[]): number {
  const hash = createHash("sha256").update(identity.join("\0")).digest();
  return FIRST_PORT + (hash.readUInt32BE(0) % (LAST_PORT - FIRST_PORT + 1));
}

/** Whether a listener on the loopback address could be opened just now. */
export function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      probe.close(() => resolve(true));
    });
  });
}
