import type { Architecture, FunctionConfiguration, Runtime } from "@aws-sdk/client-lambda";
import type { Inputs } from "../../../../engine/handler.ts";
import { type JsonObject, jsonEquals } from "../../../../model/json.ts";
import { numberIn, objectIn, stringIn } from "../input-parsers.ts";
import { LINKS_FILE } from "./function-code.ts";

/** What of a function is set apart from its code. */
export interface FunctionSettings {
  readonly Role: string;
  readonly Handler: string;
  readonly Runtime: Runtime;
  readonly Description: string;
  readonly Timeout: number;
  readonly MemorySize: number;
  readonly Environment: { readonly Variables: Record<string, string> };
}

/** @throws Error when an input is not of its type */
export function settingsOf(inputs: Inputs, key: string): FunctionSettings {
  return {
    Role: stringIn(inputs, "role"),
    Handler: stringIn(inputs, "handler"),
    Runtime: runtimeOf(stringIn(inputs, "runtime")),
    Description: stringIn(inputs, "description"),
    // Lambda counts seconds.
    Timeout: Math.ceil(numberIn(inputs, "timeoutMs") / 1_000),
    MemorySize: numberIn(inputs, "memoryMb"),
    Environment: {
      Variables: { ...environmentOf(inputs), SCRIM_RESOURCES_FILE: LINKS_FILE, SCRIM_KEY: key },
    },
  };
}

/** @throws Error when the input is no architecture */
export function architectureIn(inputs: Inputs): Architecture {
  return stringIn(inputs, "architecture") === "x86_64" ? "x86_64" : "arm64";
}

/** Whether a function is set as wanted. */
export function hasSettings(found: FunctionConfiguration, wanted: FunctionSettings): boolean {
  return (
    found.Role === wanted.Role &&
    found.Handler === wanted.Handler &&
    found.Runtime === wanted.Runtime &&
    (found.Description ?? "") === wanted.Description &&
    found.Timeout === wanted.Timeout &&
    found.MemorySize === wanted.MemorySize &&
    jsonEquals({ ...found.Environment?.Variables }, wanted.Environment.Variables)
  );
}

/** What a function tells of its inputs, as they are written; of its code and links it tells only a hash. */
export function inputsOf(found: FunctionConfiguration): JsonObject {
  const {
    SCRIM_KEY: _key,
    SCRIM_RESOURCES_FILE: _file,
    ...environment
  } = {
    ...found.Environment?.Variables,
  };
  const told = {
    handler: found.Handler,
    runtime: found.Runtime,
    architecture: found.Architectures?.[0],
    description: found.Description ?? "",
    timeoutMs: found.Timeout === undefined ? undefined : found.Timeout * 1_000,
    memoryMb: found.MemorySize,
    role: found.Role,
    environment,
  };
  return Object.fromEntries(
    Object.entries(told).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function environmentOf(inputs: Inputs): Record<string, string> {
  const environment = objectIn(inputs, "environment");
  return Object.fromEntries(
    Object.keys(environment).map((name) => [name, stringIn(environment, name)]),
  );
}

/** Lambda says which runtimes it has, and the SDK's list is only as new as the SDK. */
function runtimeOf(name: string): Runtime {
  return name as Runtime;
}
