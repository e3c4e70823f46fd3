import { declareComponent } from "../declare.ts";
import type { Linkable } from "../link.ts";
import { linkOf } from "../link-of.ts";
import { ComponentRef, type Link } from "../node.ts";
import { Output } from "../output.ts";
import { type DynamoArgs, dynamoOptions } from "./dynamo-options.ts";

/**
 * A DynamoDB table.
 *
 * @example
 * const notes = new scrim.aws.Dynamo("Notes", {
 *   fields: { id: "string" },
 *   primaryIndex: { hashKey: "id" },
 * });
 */
export class Dynamo implements Linkable {
  readonly #name: string;

  constructor(name: string, args: DynamoArgs) {
    const declared = declareComponent("scrim.aws.Dynamo", name, new.target);
    const parsed = dynamoOptions(args, declared.at);
    this.#name = declared.name;
    declared.complete(() => ({
      kind: "Dynamo",
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
    return linkOf({ kind: "Dynamo", name: this.#name });
  }
}
