import type { IncomingMessage } from "node:http";
import { userPoolClientId, userPoolId } from "../identity.ts";
import { CognitoError, clientNotFound, poolNotFound } from "../services/cognito/cognito-error.ts";
import { OperationInput } from "../services/cognito/operations/operation-input.ts";
import { operationOf, poolInPath } from "../services/cognito/pool-address.ts";
import { readBody } from "../services/cognito/read-body.ts";
import { claimedPool } from "../services/cognito/tokens/claimed-pool.ts";
import type { ServiceInstance } from "../services/service.ts";
import { AuthProblem } from "../services/sigv4/auth-problem.ts";
import type { DataPlaneOptions } from "./data-plane.ts";
import type { StageInstances } from "./stage-instances.ts";

/** Where an unsigned request to a user pool goes, or how it is refused. */
export type UserPoolDestination =
  | { readonly instance: ServiceInstance; readonly body?: Buffer }
  | { readonly refusal: CognitoError | AuthProblem };

const SERVICE = "cognito-idp";

/**
 * Finds the stage of a request that carries no signature: a path below a pool's, or an operation of
 * Cognito's API that names a client or brings an access token. Null for every other request.
 */
export async function findUserPool(
  options: Pick<DataPlaneOptions, "stageOfPool" | "stageOfPoolClient">,
  stages: StageInstances,
  request: IncomingMessage,
): Promise<UserPoolDestination | null> {
  const poolId = poolInPath(request.url ?? "")?.poolId;
  if (poolId !== undefined && !namesBucket(request)) {
    const instance = await findByPool(options, stages, poolId);
    return instance === null ? { refusal: poolNotFound(poolId) } : { instance };
  }
  if (operationOf(request) === null || request.headers.authorization !== undefined) return null;
  try {
    return await findCaller(options, stages, await readBody(request));
  } catch (error) {
    if (error instanceof CognitoError) return { refusal: error };
    throw error;
  }
}

/** Whether the host is `<bucket>.localhost` and the path a key. */
function namesBucket({ headers }: IncomingMessage): boolean {
  return /\.localhost(:\d+)?$/i.test(headers.host ?? "");
}

async function findCaller(
  options: Pick<DataPlaneOptions, "stageOfPool" | "stageOfPoolClient">,
  stages: StageInstances,
  body: Buffer,
): Promise<UserPoolDestination> {
  const input = OperationInput.parse(body);
  const client = input.textOrNull("ClientId");
  if (client !== null) {
    const instance = await findByClient(options, stages, client);
    return instance === null ? { refusal: clientNotFound(client) } : { instance, body };
  }
  const token = input.textOrNull("AccessToken");
  if (token === null)
    return { refusal: new AuthProblem("missing", "The operation must be signed") };
  const instance = await findByPool(options, stages, claimedPool(token) ?? "");
  if (instance !== null) return { instance, body };
  return { refusal: new CognitoError("NotAuthorizedException", "Invalid Access Token") };
}

async function findByPool(
  options: Pick<DataPlaneOptions, "stageOfPool">,
  stages: StageInstances,
  poolId: string,
): Promise<ServiceInstance | null> {
  const stageKey = options.stageOfPool?.(poolId) ?? null;
  if (stageKey !== null) return await stages.forService(stageKey, SERVICE);
  return await stages.findOpen(SERVICE, "local:user-pool", (name) => userPoolId(name) === poolId);
}

async function findByClient(
  options: Pick<DataPlaneOptions, "stageOfPoolClient">,
  stages: StageInstances,
  clientId: string,
): Promise<ServiceInstance | null> {
  const stageKey = options.stageOfPoolClient?.(clientId) ?? null;
  if (stageKey !== null) return await stages.forService(stageKey, SERVICE);
  return await stages.findOpen(
    SERVICE,
    "local:user-pool-client",
    (name) => userPoolClientId(name) === clientId,
  );
}
