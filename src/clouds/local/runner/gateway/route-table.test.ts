import { describe, expect, it } from "vitest";
import { createRouteTable } from "./route-table.ts";

/** The example of the API Gateway developer guide, "Working with routes for HTTP APIs", and then our own. */
const ROUTES = [
  "GET /",
  "GET /pets/dog/1",
  "GET /pets/dog/{id}",
  "DELETE /pets/dog/{other}",
  "GET /pets/{proxy+}",
  "GET /{a}/cat/{b}",
  "ANY /any/thing",
  "POST /any/thing",
  "GET /mixed/{id}",
  "PUT /mixed/me",
  "ANY /files/{path+}",
  "GET /files/{path+}",
];

interface Case {
  readonly request: string;
  readonly routeKey: string | null;
  readonly parameters?: Readonly<Record<string, string>>;
}

const CASES: readonly Case[] = [
  { request: "GET /pets/dog/1", routeKey: "GET /pets/dog/1" },
  { request: "GET /pets/dog/2", routeKey: "GET /pets/dog/{id}", parameters: { id: "2" } },
  {
    request: "DELETE /pets/dog/2",
    routeKey: "DELETE /pets/dog/{other}",
    parameters: { other: "2" },
  },
  { request: "GET /pets/bird/1", routeKey: "GET /pets/{proxy+}", parameters: { proxy: "bird/1" } },
  { request: "GET /pets/cat/1", routeKey: "GET /{a}/cat/{b}", parameters: { a: "pets", b: "1" } },
  { request: "GET /pets/dog/1/", routeKey: "GET /pets/{proxy+}", parameters: { proxy: "dog/1/" } },
  { request: "GET /", routeKey: "GET /" },
  { request: "POST /", routeKey: null },
  { request: "GET /pets", routeKey: null },
  { request: "GET /pets/", routeKey: null },
  { request: "GET /PETS/dog/1", routeKey: null },
  { request: "POST /any/thing", routeKey: "POST /any/thing" },
  { request: "PATCH /any/thing", routeKey: "ANY /any/thing" },
  { request: "GET /any/thing/", routeKey: null },
  { request: "GET /mixed/me", routeKey: "GET /mixed/{id}", parameters: { id: "me" } },
  { request: "PUT /mixed/me", routeKey: "PUT /mixed/me" },
  { request: "HEAD /mixed/me", routeKey: null },
  { request: "GET /mixed/", routeKey: null },
  { request: "GET /files/a/b", routeKey: "GET /files/{path+}", parameters: { path: "a/b" } },
  { request: "POST /files/a", routeKey: "ANY /files/{path+}", parameters: { path: "a" } },
  { request: "GET /files", routeKey: null },
  { request: "GET /__proto__", routeKey: null },
  { request: "GET /mixed/__proto__", routeKey: "GET /mixed/{id}", parameters: { id: "__proto__" } },
];

describe("a route table", () => {
  const table = createRouteTable(ROUTES.map((routeKey) => ({ routeKey, function: routeKey })));

  it.each(CASES)("answers $request with $routeKey", ({ request, routeKey, parameters }) => {
    const [method = "", path = ""] = request.split(" ");
    const match = table.match(method, path);
    expect(match?.routeKey ?? null).toBe(routeKey);
    expect(match?.pathParameters ?? undefined).toEqual(parameters);
    if (match !== null) expect(match.function).toBe(match.routeKey);
  });

  it("falls back to $default, which has no variables, for any method and path", () => {
    const all = createRouteTable([
      { routeKey: "$default", function: "Rest" },
      { routeKey: "GET /x", function: "X" },
    ]);
    expect(all.match("GET", "/x")?.function).toBe("X");
    for (const path of ["/", "/y", "/x/", "//"]) {
      expect(all.match("PATCH", path)).toEqual({
        routeKey: "$default",
        function: "Rest",
        pathParameters: null,
      });
    }
  });

  it("prefers the longer path among greedy routes, and a fixed segment to a variable one", () => {
    const table = createRouteTable(
      ["ANY /{proxy+}", "ANY /{a}/{rest+}", "ANY /a/{rest+}"].map((routeKey) => ({
        routeKey,
        function: "F",
      })),
    );
    expect(table.match("GET", "/a/b")?.routeKey).toBe("ANY /a/{rest+}");
    expect(table.match("GET", "/b/c")?.pathParameters).toEqual({ a: "b", rest: "c" });
    expect(table.match("GET", "/b")?.routeKey).toBe("ANY /{proxy+}");
    expect(table.match("GET", "/")).toBeNull();
  });
});
