import { Worker } from "node:worker_threads";
import type { FunctionRuntime } from "../protocol.ts";

/** Lambda starts Node.js with this share of the memory for old objects; the rest is for buffers and the engine. */
const HEAP_SHARE = 0.9;

/** Below this a thread cannot even load a handler. */
const HEAP_MB_MIN = 32;

/** Starts a thread that can become an instance of this function; it waits to be told so. */
export function startThread(workerFile: string, runtime: FunctionRuntime): Worker {
  return new Worker(workerFile, {
    env: environmentOf(runtime),
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.max(HEAP_MB_MIN, Math.floor(runtime.memoryMb * HEAP_SHARE)),
    },
  });
}

/** What Lambda itself sets, below what the function's own environment says. */
export function environmentOf(runtime: FunctionRuntime): Record<string, string> {
  return {
    _HANDLER: runtime.handler,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split(".")[0]}.x`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(runtime.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: runtime.physicalName,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    LAMBDA_TASK_ROOT: runtime.codeFolder,
    LANG: "en_US.UTF-8",
    PATH: process.env["PATH"] ?? "",
    TZ: ":UTC",
    ...runtime.environment,
  };
}
