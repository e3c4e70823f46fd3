import { expect, it } from "vitest";
import { parseS3Address } from "./s3-address.ts";

it("reads bucket, folder and options of a home in a bucket", () => {
  const nothing = { endpoint: null, region: null, profile: null };
  expect(parseS3Address("local")).toBeNull();
  expect(parseS3Address("aws")).toBeNull();
  expect(parseS3Address("s3://my-state")).toEqual({ bucket: "my-state", prefix: "", ...nothing });
  expect(
    parseS3Address("s3://my.state/team/a?endpoint=https://s3.example.com:9000&region=auto"),
  ).toEqual({
    bucket: "my.state",
    prefix: "team/a/",
    endpoint: "https://s3.example.com:9000",
    region: "auto",
    profile: null,
  });
  expect(parseS3Address("s3://my-state/?profile=r2")).toMatchObject({ prefix: "", profile: "r2" });
});

it.each([
  "s3://",
  "s3://My_State",
  "s3://my-state/../other",
  "s3://my-state//x",
  "s3://my-state?endpiont=https://s3.example.com",
  "s3://my-state?endpoint=s3.example.com",
  "s3://my-state?endpoint=file:///etc",
  "s3://my-state#x",
])("refuses %s", (home) => {
  expect(() => parseS3Address(home)).toThrowError(
    expect.objectContaining({
      diagnostics: [expect.objectContaining({ code: "HOME_ADDRESS_INVALID", exit: 2 })],
    }),
  );
});
