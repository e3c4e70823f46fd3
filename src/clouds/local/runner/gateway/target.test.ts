import { describe, expect, it } from "vitest";
import { isLoopbackHost } from "./host.ts";
import { parseTarget, queryParameters } from "./target.ts";

describe("a request target", () => {
  it.each([
    ["/", { encodedPath: "/", path: "/", query: "" }],
    ["/a%20b?x=1?2", { encodedPath: "/a%20b", path: "/a b", query: "x=1?2" }],
    ["/a%2Fb", { encodedPath: "/a%2Fb", path: "/a/b", query: "" }],
    ["http://localhost:1/x?y", { encodedPath: "/x", path: "/x", query: "y" }],
    ["http://localhost", { encodedPath: "/", path: "/", query: "" }],
    ["/%zz", null],
    ["*", null],
    ["", null],
    ["ftp://localhost/", null],
  ])("is taken apart: %s", (url, target) => {
    expect(parseTarget(url)).toEqual(target);
  });

  it.each([
    ["", null],
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=1&a=2", { a: "1,2" }],
    ["a=x+y&b=%C3%A9&c=%2B", { a: "x y", b: "\u00e9", c: "+" }],
    ["a", { a: "" }],
    ["a=b=c", { a: "b=c" }],
    ["&&a=1&", { a: "1" }],
    ["a=%zz", { a: "%zz" }],
    ["constructor=1", { constructor: "1" }],
  ])("has a query that becomes a map: %s", (query, parameters) => {
    expect(queryParameters(query)).toEqual(parameters);
  });
});

describe("a host", () => {
  it.each([
    "localhost",
    "localhost:20000",
    "127.0.0.1:1",
    "[::1]:80",
    "LOCALHOST",
    "a.b.localhost",
  ])("of this machine is served: %s", (host) => expect(isLoopbackHost(host)).toBe(true));

  it.each([
    undefined,
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "localhost:x",
    "evil.example:80#.localhost",
    "10.0.0.1",
    ".localhost/",
  ])("from elsewhere is refused: %s", (host) => expect(isLoopbackHost(host)).toBe(false));
});
