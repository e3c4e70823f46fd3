import type { Callee } from "../call-site.ts";
import { declareComponent } from "../declare.ts";
import type { Linkable } from "../link.ts";
import { linkOf } from "../link-of.ts";
import { ComponentRef, type Link } from "../node.ts";
import { Output } from "../output.ts";
import {
  type CognitoUserPoolClientArgs,
  cognitoUserPoolClientOptions,
} from "./cognito-user-pool-client-options.ts";

/** An app that users of a pool sign in to; made by `addClient()` of the pool. */
export class CognitoUserPoolClient implements Linkable {
  readonly #name: string;
  readonly #generateSecret: boolean;

  /** @internal */
  constructor(name: string, args: CognitoUserPoolClientArgs, pool: string, callee: Callee) {
    const declared = declareComponent("scrim.aws.CognitoUserPoolClient", name, callee);
    const parsed = cognitoUserPoolClientOptions(args, declared.at);
    this.#name = declared.name;
    this.#generateSecret = parsed.generateSecret;
    declared.complete(() => ({
      kind: "CognitoUserPoolClient",
      name: declared.name,
      ...parsed,
      pool: new ComponentRef(pool, "id"),
      get source() {
        return declared.location();
      },
    }));
  }

  get id(): Output<string> {
    return new Output(new ComponentRef(this.#name, "id"));
  }

  /** Only with the option `generateSecret`. */
  get secret(): Output<string> {
    return new Output(new ComponentRef(this.#name, "secret"));
  }

  /** What a function that links it gets. */
  getLink(): Link {
    return linkOf({
      kind: "CognitoUserPoolClient",
      name: this.#name,
      generateSecret: this.#generateSecret,
    });
  }
}
