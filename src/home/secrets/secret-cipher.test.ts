import { describe, expect, it } from "vitest";
import { countingRandom } from "../../testing/store-stage.ts";
import { appKeyOf } from "../keys/app-key.ts";
import { decryptSecret, encryptSecret, keyIdOf } from "./secret-cipher.ts";

const key = appKeyOf(new Uint8Array(32).fill(7));
const place = { app: "shop", stage: "dev", name: "A" };
const sealed = encryptSecret(key, place, "value", countingRandom());

describe("a secret's cipher", () => {
  it("reads what it wrote, under the id of its key", () => {
    expect(decryptSecret(key, place, sealed)).toBe("value");
    expect(keyIdOf(sealed)).toBe(key.id);
  });

  it("reads nothing under another key, app, stage or name", () => {
    const other = appKeyOf(new Uint8Array(32).fill(8));
    expect(decryptSecret(other, place, sealed)).toBeNull();
    expect(decryptSecret(other, place, sealed.replace(key.id, other.id))).toBeNull();
    for (const change of [{ app: "b" }, { stage: null }, { stage: "Dev" }, { name: "B" }])
      expect(decryptSecret(key, { ...place, ...change }, sealed)).toBeNull();
  });

  it("reads nothing that was shortened or changed", () => {
    const dot = sealed.lastIndexOf(".");
    for (let length = dot; length < sealed.length; length += 1)
      expect(decryptSecret(key, place, sealed.slice(0, length))).toBeNull();
    const bytes = Buffer.from(sealed.slice(dot + 1), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const text = `${sealed.slice(0, dot)}.${changed.toString("base64url")}`;
      expect(decryptSecret(key, place, text)).toBeNull();
    }
  });

  it("never writes the same text twice", () => {
    const random = countingRandom(9);
    const texts = [1, 2, 3].map(() => encryptSecret(key, place, "value", random));
    expect(new Set(texts).size).toBe(3);
  });
});
