import type { IncomingMessage, ServerResponse } from "node:http";
import { CognitoError, refusalOf as wordForCognito } from "../services/cognito/cognito-error.ts";
import { operationOf } from "../services/cognito/pool-address.ts";
import { sendError as sendCognitoError } from "../services/cognito/send-json.ts";
import {
  type DynamodbError,
  unknownOperation,
  refusalOf as wordForDynamodb,
} from "../services/dynamodb/dynamodb-error.ts";
import { sendError as sendDynamodbError } from "../services/dynamodb/send-json.ts";
import { notImplemented, S3Error, refusalOf as wordForS3 } from "../services/s3/s3-error.ts";
import { sendError as sendS3Error } from "../services/s3/send-reply.ts";
import { AuthProblem } from "../services/sigv4/auth-problem.ts";

export type RefusalReason =
  | "foreign-host"
  | "unknown-key"
  | "unknown-service"
  | AuthProblem
  | CognitoError;

/**
 * Answers a request that reaches no stage, in the words of the service it seems to be meant for:
 * JSON protocols name their operation in `X-Amz-Target`, S3 has none.
 */
export async function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  reason: RefusalReason,
): Promise<void> {
  if (reason instanceof CognitoError) sendCognitoError(request, response, reason);
  else if (operationOf(request) !== null)
    sendCognitoError(request, response, cognitoRefusal(reason));
  else if (request.headers["x-amz-target"] === undefined)
    await sendS3Error({ request, response, corsHeaders: {} }, s3Refusal(reason));
  else sendDynamodbError(request, response, dynamodbRefusal(reason));
}

type ServiceRefusal = Exclude<RefusalReason, CognitoError>;

function cognitoRefusal(reason: ServiceRefusal): CognitoError {
  if (reason instanceof AuthProblem) return wordForCognito(reason);
  switch (reason) {
    case "foreign-host":
      return new CognitoError("AccessDeniedException", "The Host header is not a local name");
    case "unknown-service":
      return new CognitoError("AccessDeniedException", "The signature is for another service");
    case "unknown-key":
      return wordForCognito(new AuthProblem("unknown-key", ""));
  }
}

function s3Refusal(reason: ServiceRefusal): S3Error {
  if (reason instanceof AuthProblem) return wordForS3(reason);
  switch (reason) {
    case "foreign-host":
      return new S3Error(403, "AccessDenied", "Access Denied: the Host header is not a local name");
    case "unknown-service":
      return notImplemented("services other than S3, DynamoDB and Cognito");
    case "unknown-key":
      return wordForS3(new AuthProblem("unknown-key", ""));
  }
}

function dynamodbRefusal(reason: ServiceRefusal): DynamodbError {
  if (reason instanceof AuthProblem) return wordForDynamodb(reason);
  switch (reason) {
    case "foreign-host":
      return unknownOperation("The Host header is not a local name");
    case "unknown-service":
      return unknownOperation("The local cloud has no such service");
    case "unknown-key":
      return wordForDynamodb(new AuthProblem("unknown-key", ""));
  }
}
