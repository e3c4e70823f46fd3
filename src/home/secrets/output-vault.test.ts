import { describe, expect, it } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { systemRandom } from "../../system/random.ts";
import { StoredKeyRing } from "../keys/stored-key-ring.ts";
import { MemoryStore } from "../stores/memory.ts";
import { openOutputVault } from "./output-vault.ts";

function place() {
  const keys = new StoredKeyRing(new MemoryStore(), systemRandom, systemClock);
  return { store: new MemoryStore(), keys, random: systemRandom, app: "shop", stage: "dev" };
}

describe("an output that nobody may read in state", () => {
  it("stands there encrypted, differently each time, and can be had again", async () => {
    const vault = await openOutputVault(place());
    const [first, second] = [vault.encrypt("s3cret"), vault.encrypt("s3cret")];
    expect(JSON.stringify(first)).not.toContain("s3cret");
    expect(first).not.toEqual(second);
    expect([vault.decrypt(first), vault.decrypt(second)]).toEqual(["s3cret", "s3cret"]);
  });

  it("is left as it is when it was never encrypted", async () => {
    const vault = await openOutputVault(place());
    expect(vault.decrypt({ url: "http://127.0.0.1" })).toEqual({ url: "http://127.0.0.1" });
  });

  it("is readable after the key was changed, and of no use in another stage", async () => {
    const options = place();
    const before = (await openOutputVault(options)).encrypt("s3cret");
    await options.keys.add("shop");
    expect((await openOutputVault(options)).decrypt(before)).toBe("s3cret");
    const other = await openOutputVault({ ...options, stage: "production" });
    expect(() => other.decrypt(before)).toThrow(/need key/);
  });
});
