import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openEnvelope, sealEnvelope } from "./envelope.ts";

const LINE = JSON.stringify({ format: 1, text: "snow: \u2603, newline: \n" });
const { bytes, hash } = sealEnvelope(LINE);

describe("an envelope", () => {
  it("gives back what was put in", () => {
    expect(openEnvelope(bytes)).toEqual({ kind: "whole", value: JSON.parse(LINE), hash });
  });

  it("is torn wherever it was cut, alone or filled up with NUL bytes", () => {
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.slice(0, length);
      const filled = new Uint8Array(bytes.length);
      filled.set(cut);
      expect(openEnvelope(cut).kind).toBe("torn");
      expect(openEnvelope(filled).kind).toBe("torn");
    }
  });

  it("is never whole when any bit is another", () => {
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = new Uint8Array(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(openEnvelope(flipped).kind).not.toBe("whole");
    }
  });

  it("is damaged, not torn, when an editor or a merge touched it", () => {
    const text = Buffer.from(bytes).toString();
    const touched = [
      `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> main\n`,
      `${text}\n`,
      text.replace("snow", "rain"),
      text.replaceAll("\n", "\r\n"),
      `\ufeff${text}`,
      "{}",
      "hello",
    ];
    for (const file of touched) expect(openEnvelope(Buffer.from(file)).kind).toBe("damaged");
  });

  it("never throws, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (any) => {
        expect(openEnvelope(any).kind).not.toBe("whole");
      }),
      { numRuns: 500 },
    );
  });
});
