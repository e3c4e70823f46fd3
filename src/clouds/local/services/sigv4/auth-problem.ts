/**
 * Why a signature was not accepted; each service words it its own way. `missing`: no signature at
 * all. `malformed`: one that cannot be read. `unknown-key`: not an access key of this stage.
 * `skewed`: signed more than 15 minutes from now. `expired`: a presigned URL past its time.
 * `unsigned-header`: a header that must be signed is not. `mismatch`: computed and sent signatures
 * differ.
 */
export type AuthProblemKind =
  | "missing"
  | "malformed"
  | "unknown-key"
  | "skewed"
  | "expired"
  | "unsigned-header"
  | "mismatch";

/** Thrown by the functions of this folder. The message never holds a secret or a signature. */
export class AuthProblem extends Error {
  override readonly name = "AuthProblem";
  readonly kind: AuthProblemKind;

  constructor(kind: AuthProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
