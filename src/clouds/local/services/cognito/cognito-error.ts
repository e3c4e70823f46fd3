import type { AuthProblem } from "../sigv4/auth-problem.ts";

/** A refusal as Cognito words it: JSON with a `__type` that SDKs turn into an exception's name. */
export class CognitoError extends Error {
  override readonly name = "CognitoError";
  /** For example `NotAuthorizedException`. */
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

export function notAuthorized(message: string): CognitoError {
  return new CognitoError("NotAuthorizedException", message);
}

export function invalidParameter(message: string): CognitoError {
  return new CognitoError("InvalidParameterException", message);
}

export function invalidPassword(message: string): CognitoError {
  return new CognitoError("InvalidPasswordException", message);
}

export function resourceNotFound(message: string): CognitoError {
  return new CognitoError("ResourceNotFoundException", message);
}

export function poolNotFound(id: string): CognitoError {
  return resourceNotFound(`User pool ${id} does not exist.`);
}

export function clientNotFound(id: string): CognitoError {
  return resourceNotFound(`User pool client ${id} does not exist.`);
}

export function userNotFound(): CognitoError {
  return new CognitoError("UserNotFoundException", "User does not exist.");
}

export function codeMismatch(): CognitoError {
  return new CognitoError(
    "CodeMismatchException",
    "Invalid verification code provided, please try again.",
  );
}

export function expiredCode(): CognitoError {
  return new CognitoError(
    "ExpiredCodeException",
    "Invalid code provided, please request a code again.",
  );
}

export function limitExceeded(): CognitoError {
  return new CognitoError(
    "LimitExceededException",
    "Attempt limit exceeded, please try after some time.",
  );
}

export function tooManyRequests(): CognitoError {
  return new CognitoError("TooManyRequestsException", "Too many requests");
}

/** For what is a bug of ours. Clients retry it. */
export function internalError(): CognitoError {
  return new CognitoError(
    "InternalErrorException",
    "The request processing has failed because of an internal error on the local cloud.",
    500,
  );
}

/** How Cognito answers a signature that is not accepted. */
export function refusalOf(problem: AuthProblem): CognitoError {
  switch (problem.kind) {
    case "missing":
      return new CognitoError(
        "MissingAuthenticationTokenException",
        "Missing Authentication Token",
      );
    case "malformed":
      return new CognitoError("IncompleteSignatureException", problem.message);
    case "unknown-key":
      return new CognitoError(
        "UnrecognizedClientException",
        "The security token included in the request is invalid.",
      );
    case "skewed":
    case "expired":
    case "unsigned-header":
      return new CognitoError("InvalidSignatureException", problem.message);
    case "mismatch":
      return new CognitoError(
        "InvalidSignatureException",
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.",
      );
  }
}
