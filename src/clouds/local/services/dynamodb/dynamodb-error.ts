import type { AuthProblem } from "../sigv4/auth-problem.ts";

/** A refusal as DynamoDB words it: JSON with a `__type` that SDKs turn into an exception's name. */
export class DynamodbError extends Error {
  override readonly name = "DynamodbError";
  readonly status: number;
  /** With its namespace, as DynamoDB sends it. */
  readonly type: string;
  /** Further members of the answer. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    type: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
  }
}

const CORAL = "com.amazon.coral.service#";

export function unknownOperation(message: string): DynamodbError {
  return new DynamodbError(400, `${CORAL}UnknownOperationException`, message);
}

export function validationError(message: string): DynamodbError {
  return new DynamodbError(400, "com.amazon.coral.validate#ValidationException", message);
}

export function serializationError(message: string): DynamodbError {
  return new DynamodbError(400, `${CORAL}SerializationException`, message);
}

/** For what is a bug of ours. Clients retry it. */
export function internalError(): DynamodbError {
  return new DynamodbError(
    500,
    "com.amazonaws.dynamodb.v20120810#InternalServerError",
    "The request processing has failed because of an internal error on the local cloud.",
  );
}

/** How DynamoDB answers a signature that is not accepted. */
export function refusalOf(problem: AuthProblem): DynamodbError {
  const refuse = (type: string, message: string) =>
    new DynamodbError(400, `${CORAL}${type}`, message);
  switch (problem.kind) {
    case "missing":
      return refuse(
        "MissingAuthenticationTokenException",
        "Request is missing Authentication Token",
      );
    case "malformed":
      return refuse("IncompleteSignatureException", problem.message);
    case "unknown-key":
      return refuse(
        "UnrecognizedClientException",
        "The security token included in the request is invalid.",
      );
    case "skewed":
    case "expired":
    case "unsigned-header":
      return refuse("InvalidSignatureException", problem.message);
    case "mismatch":
      return refuse(
        "InvalidSignatureException",
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.",
      );
  }
}
