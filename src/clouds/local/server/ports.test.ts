import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { canListen, createPortBook, FIRST_PORT, firstTry, LAST_PORT } from "./ports.ts";

const identity = ["home", "shop", "dev", "Api"];

describe("ports", () => {
  it("are first tried by a hash of home, app, stage and API", async () => {
    const port = await createPortBook(async () => true).pick(identity);
    expect(port).toBe(firstTry(identity));
    expect(port).toBeGreaterThanOrEqual(FIRST_PORT);
    expect(port).toBeLessThanOrEqual(LAST_PORT);
  });

  it("are never given twice, also when asked for at the same time", async () => {
    const book = createPortBook(async () => true);
    const ports = await Promise.all(Array.from({ length: 50 }, () => book.pick(identity)));
    expect(new Set(ports).size).toBe(50);
  });

  it("that another program listens on are passed over", async () => {
    const first = firstTry(identity);
    const book = createPortBook(async (port) => port !== first);
    expect(await book.pick(identity)).not.toBe(first);
  });

  it("go on from the start of the range behind its end", async () => {
    const book = createPortBook(async (port) => port === FIRST_PORT);
    expect(await book.pick(identity)).toBe(FIRST_PORT);
  });

  it("that are all taken are a problem with a name", async () => {
    await expect(createPortBook(async () => false).pick(identity)).rejects.toMatchObject({
      diagnostics: [{ code: "LOCAL_PORTS_EXHAUSTED" }],
    });
  });

  it("are looked at by listening", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await canListen(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await canListen(port)).toBe(true);
  });
});
