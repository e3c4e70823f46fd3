import type { AuthProblem } from "../sigv4/auth-problem.ts";

/**
 * A refusal as S3 words it: an HTTP status, a code that SDKs turn into an exception's name, a
 * message.
 */
export class S3Error extends Error {
  override readonly name = "S3Error";
  readonly status: number;
  readonly code: string;
  /** Further elements of the error document, such as `BucketName`. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function noSuchBucket(bucket: string): S3Error {
  return new S3Error(404, "NoSuchBucket", "The specified bucket does not exist", {
    BucketName: bucket,
  });
}

export function noSuchKey(key: string): S3Error {
  return new S3Error(404, "NoSuchKey", "The specified key does not exist.", { Key: key });
}

export function noSuchUpload(uploadId: string): S3Error {
  return new S3Error(
    404,
    "NoSuchUpload",
    "The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.",
    { UploadId: uploadId },
  );
}

export function invalidArgument(message: string, name?: string, value?: string): S3Error {
  return new S3Error(400, "InvalidArgument", message, {
    ...(name === undefined ? {} : { ArgumentName: name }),
    ...(value === undefined ? {} : { ArgumentValue: value }),
  });
}

export function invalidRequest(message: string): S3Error {
  return new S3Error(400, "InvalidRequest", message);
}

export function preconditionFailed(condition: string): S3Error {
  return new S3Error(
    412,
    "PreconditionFailed",
    "At least one of the pre-conditions you specified did not hold",
    { Condition: condition },
  );
}

/** For everything that S3 has and this does not; `what` is an operation's or a header's name. */
export function notImplemented(what: string): S3Error {
  return new S3Error(501, "NotImplemented", `S3 on the local cloud does not support ${what}`);
}

/** How S3 answers a signature that is not accepted. */
export function refusalOf(problem: AuthProblem): S3Error {
  switch (problem.kind) {
    case "missing":
      return new S3Error(403, "AccessDenied", "Access Denied: the request is not signed");
    case "malformed":
      return new S3Error(400, "AuthorizationHeaderMalformed", problem.message);
    case "unknown-key":
      return new S3Error(
        403,
        "InvalidAccessKeyId",
        "The AWS Access Key Id you provided does not exist in our records.",
      );
    case "skewed":
      return new S3Error(403, "RequestTimeTooSkewed", problem.message);
    case "expired":
    case "unsigned-header":
      return new S3Error(403, "AccessDenied", problem.message);
    case "mismatch":
      return new S3Error(
        403,
        "SignatureDoesNotMatch",
        "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
      );
  }
}
