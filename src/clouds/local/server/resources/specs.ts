import type { CorsSpec } from "../../../../components/node.ts";
import type { Json, JsonObject } from "../../../../model/json.ts";
import { LOCAL_TYPES } from "../../identity.ts";
import { Refusal } from "../control/refusal.ts";

/** What a function's spec says, secrets in clear. Never stored as it is. */
export interface FunctionResource {
  /** Logical name, for logs. */
  readonly name: string;
  /** SHA-256 of the zip, hex. */
  readonly bundle: string;
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly concurrency: number | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<string, JsonObject>>;
}

export interface ApiResource {
  readonly name: string;
  readonly cors: CorsSpec | null;
}

export interface RouteResource {
  /** Id of the API. */
  readonly api: string;
  readonly routeKey: string;
  /** Physical name of the function. */
  readonly function: string;
}

export interface FunctionUrlResource extends ApiResource {
  /** Physical name of the function. */
  readonly function: string;
}

/** Keys of a function's spec that may hold secrets; they are sealed at rest and never answered. */
export const SEALED_KEYS = ["environment", "links"] as const;

export function parseFunction(spec: JsonObject): FunctionResource {
  const bundle = text(spec, "bundle");
  if (!/^[0-9a-f]{64}$/.test(bundle)) throw invalid("bundle", "a SHA-256 in hex");
  return {
    name: text(spec, "name"),
    bundle,
    handler: text(spec, "handler"),
    timeoutMs: count(spec, "timeoutMs"),
    memoryMb: count(spec, "memoryMb"),
    concurrency: (spec["concurrency"] ?? null) === null ? null : count(spec, "concurrency"),
    environment: parseEnvironment(spec["environment"] ?? {}),
    links: parseLinks(spec["links"] ?? {}),
  };
}

export function parseApi(spec: JsonObject): ApiResource {
  return { name: text(spec, "name"), cors: parseCors(spec["cors"] ?? null) };
}

export function parseRoute(spec: JsonObject): RouteResource {
  return {
    api: text(spec, "api"),
    routeKey: text(spec, "routeKey"),
    function: text(spec, "function"),
  };
}

export function parseFunctionUrl(spec: JsonObject): FunctionUrlResource {
  return { ...parseApi(spec), function: text(spec, "function") };
}

/** Checks the spec of a resource; what a data service keeps, it checks itself. @throws Refusal */
export function checkSpec(type: string, spec: JsonObject): void {
  switch (type) {
    case LOCAL_TYPES.function:
      return void parseFunction(spec);
    case LOCAL_TYPES.api:
      return void parseApi(spec);
    case LOCAL_TYPES.route:
      return void parseRoute(spec);
    case LOCAL_TYPES.functionUrl:
      return void parseFunctionUrl(spec);
    case LOCAL_TYPES.bucket:
    case LOCAL_TYPES.table:
    case LOCAL_TYPES.userPool:
    case LOCAL_TYPES.userPoolClient:
      return;
    default:
      throw new Refusal(
        400,
        "LOCAL_TYPE_UNKNOWN",
        `The local cloud has no resources of type ${type}`,
      );
  }
}

function parseEnvironment(value: Json): Readonly<Record<string, string>> {
  const environment = object(value, "environment");
  return Object.fromEntries(
    Object.entries(environment).map(([name, item]) => {
      if (item === null || typeof item === "object") throw invalid(`environment.${name}`, "text");
      return [name, String(item)];
    }),
  );
}

function parseLinks(value: Json): Readonly<Record<string, JsonObject>> {
  const links = object(value, "links");
  return Object.fromEntries(
    Object.entries(links).map(([name, item]) => [name, object(item, `links.${name}`)]),
  );
}

function parseCors(value: Json): CorsSpec | null {
  if (value === null) return null;
  const cors = object(value, "cors");
  return {
    allowOrigins: texts(cors, "allowOrigins"),
    allowMethods: texts(cors, "allowMethods"),
    allowHeaders: texts(cors, "allowHeaders"),
    exposeHeaders: texts(cors, "exposeHeaders"),
    allowCredentials: cors["allowCredentials"] === true,
    maxAge: typeof cors["maxAge"] === "number" ? cors["maxAge"] : null,
  };
}

function text(spec: JsonObject, key: string): string {
  const value = spec[key];
  if (typeof value !== "string" || value === "") throw invalid(key, "text");
  return value;
}

function count(spec: JsonObject, key: string): number {
  const value = spec[key];
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  throw invalid(key, "a whole number above 0");
}

function texts(spec: JsonObject, key: string): readonly string[] {
  const value = spec[key] ?? [];
  if (!Array.isArray(value)) throw invalid(key, "a list of text");
  return value.map((item: Json) => {
    if (typeof item !== "string") throw invalid(key, "a list of text");
    return item;
  });
}

function object(value: Json, key: string): JsonObject {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw invalid(key, "an object");
  }
  return value as JsonObject;
}

function invalid(key: string, expected: string): Refusal {
  return new Refusal(400, "LOCAL_SPEC_INVALID", `${key} of the resource is not ${expected}`);
}
