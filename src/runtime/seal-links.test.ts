import { describe, expect, it } from "vitest";
import { openLinks } from "./open-links.ts";
import { sealLinks } from "./seal-links.ts";

const LINKS = { Notes: { type: "scrim.aws.Dynamo", name: "notes" } };

describe("sealed links", () => {
  it("are other bytes each time without a key of their own", () => {
    expect(sealLinks(LINKS)).not.toEqual(sealLinks(LINKS));
  });

  it("are the same bytes for the same links under the same key, and open with it", () => {
    const { file, key } = sealLinks(LINKS);
    expect(sealLinks(LINKS, key)).toEqual({ file, key });
    expect(JSON.parse(openLinks(file, key))).toEqual(LINKS);
  });

  it("never share a nonce under one key when the links differ", () => {
    const { key } = sealLinks(LINKS);
    const nonces = Array.from({ length: 100 }, (_, n) =>
      Buffer.from(sealLinks({ Notes: { n } }, key).file.subarray(0, 12)).toString("hex"),
    );
    expect(new Set(nonces).size).toBe(100);
  });
});
