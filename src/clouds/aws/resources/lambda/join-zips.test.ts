import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { zipFiles } from "../../../../bundle/zip.ts";
import { joinZips } from "./join-zips.ts";

const zipOf = (files: Readonly<Record<string, string>>) =>
  zipFiles(
    new Map(
      Object.entries(files).map(([name, text]) => [
        name,
        { content: Buffer.from(text), executable: false },
      ]),
    ),
  );

describe("two zips in one", () => {
  it("hold the files of both", () => {
    const code = zipOf({ "index.mjs": "export {}", "data/a.txt": "a".repeat(5_000) });
    const joined = joinZips(code, zipOf({ "resource.enc": "sealed", "x.txt": "x" }));
    const files = Object.entries(unzipSync(joined));
    expect(files.map(([name, bytes]) => [name, bytes.length])).toEqual([
      ["data/a.txt", 5_000],
      ["index.mjs", 9],
      ["resource.enc", 6],
      ["x.txt", 1],
    ]);
  });

  it("are the same bytes for the same zips", () => {
    const [a, b] = [zipOf({ a: "1" }), zipOf({ b: "2" })];
    expect(joinZips(a, b)).toEqual(joinZips(a, b));
  });

  it("are refused when one of them is not a whole zip", () => {
    const zip = zipOf({ a: "1" });
    expect(() => joinZips(zip.subarray(1), zip)).toThrow("not a zip");
    expect(() => joinZips(zip, zip.subarray(0, 10))).toThrow("not a zip");
  });
});
