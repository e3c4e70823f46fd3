import type { Parse } from "./parse.ts";
import type { Place } from "./place.ts";
import { suggest } from "./suggest.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "ANY"] as const;

/** A parameter is a whole segment; a greedy one (`{proxy+}`) is the last. API Gateway's rule for HTTP APIs. */
const PARAMETER = /^\{([A-Za-z0-9._-]+)(\+?)\}$/;
const LITERAL = /^[A-Za-z0-9._~!$&'()*,;=:@%-]+$/;

export interface RouteKey {
  /** As the cloud takes it: `GET /notes/{id}` or `$default`. */
  readonly key: string;
  /** The same for two keys that match the same requests: names of parameters are left out. */
  readonly pattern: string;
}

/** The first argument of `api.route`: `<METHOD> <path>`, or `$default`. */
export const routeKey: Parse<RouteKey> = (value, at) => {
  if (typeof value !== "string") throw at.invalid(value, 'a route such as "GET /notes/{id}"');
  if (value === "$default") return { key: value, pattern: value };
  const [method = "", path, ...rest] = value.split(" ");
  if (path === undefined) throw noSpace(value, at);
  if (path === "" || rest.length > 0) {
    throw wrong(
      value,
      at,
      "Between method and path stands exactly one space, and nothing follows.",
    );
  }
  checkMethod(value, method, at);
  return { key: value, pattern: `${method} ${checkPath(value, path, at)}` };
};

function noSpace(value: string, at: Place): Error {
  if (value.startsWith("/")) return wrong(value, at, "The method is missing.", `GET ${value}`);
  return wrong(value, at, "A route is a method, a space and a path.");
}

function checkMethod(value: string, method: string, at: Place): void {
  if (METHODS.some((known) => known === method)) return;
  const meant = suggest(method, METHODS);
  throw wrong(
    value,
    at,
    `${JSON.stringify(method)} is not one of ${METHODS.join(", ")}.`,
    meant === null ? undefined : value.replace(method, meant),
  );
}

function checkPath(value: string, path: string, at: Place): string {
  if (!path.startsWith("/")) {
    throw wrong(value, at, "The path does not begin with a slash.", value.replace(" ", " /"));
  }
  const names = new Set<string>();
  const segments = path.slice(1).split("/");
  return segments
    .map((segment, index) => {
      const last = index === segments.length - 1;
      if (segment === "" && last) return "/";
      const parameter = PARAMETER.exec(segment);
      if (parameter === null) {
        if (LITERAL.test(segment)) return `/${segment}`;
        throw wrong(value, at, segmentProblem(segment));
      }
      const [, name = "", greedy] = parameter;
      if (names.has(name)) throw wrong(value, at, `The parameter {${name}} stands there twice.`);
      names.add(name);
      if (greedy === "+" && !last) throw wrong(value, at, `{${name}+} must be the last segment.`);
      return greedy === "+" ? "/{+}" : "/{}";
    })
    .join("");
}

function segmentProblem(segment: string): string {
  if (segment === "") return "Two slashes follow each other.";
  if (/[{}]/.test(segment))
    return `{name} or {name+} must be a whole segment, in ${segment} it is not.`;
  return `The segment ${JSON.stringify(segment)} holds a character that a path cannot have.`;
}

function wrong(value: string, at: Place, why: string, better?: string): Error {
  return at.problem("ROUTE_INVALID", `${JSON.stringify(value)} is not a route`, {
    why,
    hint:
      better === undefined ? 'Write for example "GET /notes/{id}".' : `Did you mean "${better}"?`,
  });
}
