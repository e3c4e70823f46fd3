import { aliases } from "../aliases.ts";
import { declareComponent } from "../declare.ts";
import type { Linkable } from "../link.ts";
import { linkOf } from "../link-of.ts";
import { ComponentRef, type Link } from "../node.ts";
import { type Members, object, optional } from "../options/parse.ts";
import { boolean } from "../options/scalars.ts";
import { Output } from "../output.ts";
import { type Transform, transforms } from "../transform.ts";
import { type BucketCorsArgs, corsOfBucket } from "./cors-options.ts";

export interface BucketArgs {
  /** @default true */
  cors?: boolean | BucketCorsArgs;
  /** Keeps earlier versions of objects. @default false */
  versioning?: boolean;
  /** Changes what the cloud is asked for. */
  transform?: BucketTransforms;
  /** Earlier names of this component. */
  aliases?: string[];
}

export interface BucketTransforms {
  bucket?: Transform;
}

const options = object(
  {
    cors: corsOfBucket,
    versioning: optional(boolean, false),
    transform: transforms("bucket"),
    aliases,
  } satisfies Members<BucketArgs>,
  ["access", "enforceHttps", "lifecycle", "policy"],
);

/**
 * A bucket for files.
 *
 * @example
 * const uploads = new scrim.aws.Bucket("Uploads");
 */
export class Bucket implements Linkable {
  readonly #name: string;

  constructor(name: string, args: BucketArgs = {}) {
    const declared = declareComponent("scrim.aws.Bucket", name, new.target);
    const parsed = options(args, declared.at);
    this.#name = declared.name;
    declared.complete(() => ({
      kind: "Bucket",
      name: declared.name,
      ...parsed,
      get source() {
        return declared.location();
      },
    }));
  }

  /** The name in the cloud. */
  get name(): Output<string> {
    return new Output(new ComponentRef(this.#name, "name"));
  }

  get arn(): Output<string> {
    return new Output(new ComponentRef(this.#name, "arn"));
  }

  /** What a function that links it gets. */
  getLink(): Link {
    return linkOf({ kind: "Bucket", name: this.#name });
  }
}
