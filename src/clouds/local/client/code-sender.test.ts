import { describe, expect, it } from "vitest";
import { codeSender } from "./code-sender.ts";

/** A server that has nothing at first, and what it was asked. */
function server() {
  const has = new Set<string>();
  const asked: string[] = [];
  return {
    asked,
    has,
    hasCode: async (_: string, hash: string) => {
      asked.push(`has ${hash}`);
      return has.has(hash);
    },
    putCode: async (_: string, hash: string) => {
      asked.push(`put ${hash}`);
      await new Promise((resolve) => setImmediate(resolve));
      has.add(hash);
    },
  };
}

describe("code on its way to the server", () => {
  it("is sent once, whoever asks for it meanwhile", async () => {
    const at = server();
    const send = codeSender(at, async () => new Uint8Array());
    await Promise.all([send("stage", "a"), send("stage", "a"), send("stage", "b")]);
    expect([...at.asked].sort()).toEqual(["has a", "has b", "put a", "put b"]);
  });

  it("is asked for again later, since the server may have swept it", async () => {
    const at = server();
    const send = codeSender(at, async () => new Uint8Array());
    await send("stage", "a");
    await send("stage", "a");
    at.has.clear();
    await send("stage", "a");
    expect(at.asked).toEqual(["has a", "put a", "has a", "has a", "put a"]);
  });

  it("that could not be read is tried again", async () => {
    const at = server();
    let tries = 0;
    const send = codeSender(at, async () => {
      tries += 1;
      if (tries === 1) throw new Error("gone");
      return new Uint8Array();
    });
    await expect(send("stage", "a")).rejects.toThrow("gone");
    await send("stage", "a");
    expect(at.has.has("a")).toBe(true);
  });
});
