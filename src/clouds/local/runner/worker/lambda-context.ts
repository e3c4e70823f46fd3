import type { InstanceSettings, ToInstance } from "./messages.ts";

/** The second argument of a handler; members as in Lambda's Node.js runtime. */
export interface LambdaContext {
  callbackWaitsForEmptyEventLoop: boolean;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly memoryLimitInMB: string;
  readonly awsRequestId: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
  readonly identity: undefined;
  readonly clientContext: undefined;
  getRemainingTimeInMillis(): number;
  done(error?: unknown, result?: unknown): void;
  fail(error: unknown): void;
  succeed(result: unknown): void;
}

/** How a handler ends an invocation through its context, without waiting for the event loop. */
export interface Endings {
  succeed(result: unknown): void;
  fail(error: unknown): void;
}

export function lambdaContext(
  settings: InstanceSettings,
  invocation: ToInstance,
  endings: Endings,
): LambdaContext {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: settings.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: settings.arn,
    memoryLimitInMB: String(settings.memoryMb),
    awsRequestId: invocation.requestId,
    logGroupName: settings.logGroup,
    logStreamName: settings.logStream,
    identity: undefined,
    clientContext: undefined,
    getRemainingTimeInMillis: () => Math.max(0, invocation.deadlineMs - Date.now()),
    done: (error, result) => (isError(error) ? endings.fail(error) : endings.succeed(result)),
    fail: endings.fail,
    succeed: endings.succeed,
  };
}

/** Lambda takes null and undefined for no error. */
export function isError(error: unknown): boolean {
  return error !== null && error !== undefined;
}
