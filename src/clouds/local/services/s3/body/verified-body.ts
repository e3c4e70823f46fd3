import type { ChecksumAlgorithm, StoredChecksum } from "../checksum/checksum.ts";
import type { RequestHeaders } from "../request-headers.ts";
import { invalidRequest, S3Error } from "../s3-error.ts";
import { BodyDigest } from "./body-digest.ts";
import { type DeclaredChecksum, readDeclaredChecksum } from "./declared-checksum.ts";
import type { Payload } from "./payload.ts";

/**
 * A body together with what its client promised about it; the promise is checked when the last byte
 * is read.
 */
export class VerifiedBody {
  /** Whether the client promised anything at all. */
  readonly promised: boolean;
  readonly #payload: Payload;
  readonly #declared: DeclaredChecksum | null;
  readonly #contentMd5: string | null;
  readonly #digest: BodyDigest;
  #etag = "";
  #checksum: StoredChecksum | null = null;

  /**
   * @param wanted computed even if the client sent no checksum, as for parts of an upload that
   * asked for one
   * @throws S3Error when the promises contradict each other
   */
  constructor(payload: Payload, headers: RequestHeaders, wanted: ChecksumAlgorithm | null = null) {
    this.#payload = payload;
    this.#declared = readDeclaredChecksum(headers);
    this.#contentMd5 = headers.get("content-md5");
    this.promised = this.#declared !== null || this.#contentMd5 !== null;
    if (wanted !== null && this.#declared !== null && this.#declared.algorithm !== wanted)
      throw invalidRequest(
        `Checksum Type mismatch occurred, expected checksum Type: ${wanted}, actual checksum Type: ${this.#declared.algorithm}`,
      );
    this.#digest = new BodyDigest(this.#declared?.algorithm ?? wanted);
  }

  /**
   * The bytes, once. @throws S3Error `BadDigest`, `InvalidDigest` and what {@link Payload.chunks}
   * throws
   */
  async *chunks(): AsyncGenerator<Buffer> {
    yield* this.#digest.pass(this.#payload.chunks());
    const { md5, checksum } = this.#digest.finish();
    this.#checkMd5(md5.toString("base64"));
    this.#checkDeclared(checksum);
    this.#etag = md5.toString("hex");
    this.#checksum = checksum;
  }

  /** MD5 in hex; after {@link VerifiedBody.chunks} has ended. */
  get etag(): string {
    return this.#etag;
  }

  /** After {@link VerifiedBody.chunks} has ended. */
  get checksum(): StoredChecksum | null {
    return this.#checksum;
  }

  #checkMd5(computed: string): void {
    if (this.#contentMd5 === null || this.#contentMd5 === computed) return;
    if (!/^[A-Za-z0-9+/]{22}==$/.test(this.#contentMd5))
      throw new S3Error(400, "InvalidDigest", "The Content-MD5 you specified was invalid.");
    throw badDigest("Content-MD5");
  }

  #checkDeclared(computed: StoredChecksum | null): void {
    if (this.#declared === null || computed === null) return;
    const { header, value } = this.#declared;
    const promised = value ?? this.#payload.trailers.get(header);
    if (promised === undefined)
      throw new S3Error(400, "MalformedTrailerError", `The trailer ${header} is missing.`);
    if (promised !== computed.value) throw badDigest(computed.algorithm);
  }
}

export function badDigest(what: string): S3Error {
  return new S3Error(
    400,
    "BadDigest",
    `The ${what} you specified did not match the calculated checksum.`,
  );
}
