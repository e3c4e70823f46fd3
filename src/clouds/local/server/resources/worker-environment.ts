import { LOCAL_IDENTITY } from "../../identity.ts";
import type { StageCredentials } from "./access-keys.ts";
import type { FunctionResource } from "./specs.ts";

export interface WorkerEnvironmentInput {
  readonly app: string;
  readonly stage: string;
  readonly function: FunctionResource;
  readonly physicalName: string;
  readonly codeFolder: string;
  readonly credentials: StageCredentials;
  readonly dataPort: number;
  /** Where the links lie encrypted, and the key to them. */
  readonly links: { readonly file: string; readonly key: string };
}

/**
 * The whole environment of a function's instance. What AWS reserves cannot be set by users
 * (docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html), so it is written last; the
 * endpoints can.
 */
export function workerEnvironment(input: WorkerEnvironmentInput): Readonly<Record<string, string>> {
  return { ...endpoints(input.dataPort), ...input.function.environment, ...reserved(input) };
}

function endpoints(dataPort: number): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${dataPort}`;
  return {
    AWS_ENDPOINT_URL_S3: url,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: url,
  };
}

function reserved(input: WorkerEnvironmentInput): Readonly<Record<string, string>> {
  const { physicalName } = input;
  return {
    _HANDLER: input.function.handler,
    AWS_ACCESS_KEY_ID: input.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: input.credentials.secretAccessKey,
    AWS_REGION: LOCAL_IDENTITY.region,
    AWS_DEFAULT_REGION: LOCAL_IDENTITY.region,
    AWS_LAMBDA_FUNCTION_NAME: physicalName,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(input.function.memoryMb),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${physicalName}`,
    LAMBDA_TASK_ROOT: input.codeFolder,
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
    // The SDK would tell every instance on Node.js 20 that its next versions need 22.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    SCRIM_APP: input.app,
    SCRIM_STAGE: input.stage,
    TZ: ":UTC",
    SCRIM_KEY: input.links.key,
    SCRIM_RESOURCES_FILE: input.links.file,
  };
}
