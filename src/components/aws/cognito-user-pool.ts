import { declareComponent } from "../declare.ts";
import type { Linkable } from "../link.ts";
import { linkOf } from "../link-of.ts";
import { ComponentRef, type Link } from "../node.ts";
import { Output } from "../output.ts";
import { CognitoUserPoolClient } from "./cognito-user-pool-client.ts";
import type { CognitoUserPoolClientArgs } from "./cognito-user-pool-client-options.ts";
import { type CognitoUserPoolArgs, cognitoUserPoolOptions } from "./cognito-user-pool-options.ts";

/**
 * Users who sign up and sign in.
 *
 * @example
 * const users = new scrim.aws.CognitoUserPool("Users", { usernames: ["email"], domain: true });
 * const web = users.addClient("Web", { callbackUrls: ["https://example.com/callback"] });
 */
export class CognitoUserPool implements Linkable {
  readonly #name: string;
  readonly #hasDomain: boolean;
  readonly #clients: string[] = [];

  constructor(name: string, args: CognitoUserPoolArgs = {}) {
    const declared = declareComponent("scrim.aws.CognitoUserPool", name, new.target);
    const parsed = cognitoUserPoolOptions(args, declared.at);
    this.#name = declared.name;
    this.#hasDomain = parsed.domain !== null;
    declared.complete(() => ({
      kind: "CognitoUserPool",
      name: declared.name,
      ...parsed,
      clients: [...this.#clients],
      get source() {
        return declared.location();
      },
    }));
  }

  /**
   * Adds an app that users sign in to. Its name is one of a component: `Resource.<name>`.
   *
   * @example
   * const web = users.addClient("Web", { callbackUrls: ["https://example.com/callback"] });
   */
  addClient(name: string, args: CognitoUserPoolClientArgs = {}): CognitoUserPoolClient {
    const client = new CognitoUserPoolClient(name, args, this.#name, this.addClient);
    this.#clients.push(name);
    return client;
  }

  /** `<region>_<nine letters and digits>`. */
  get id(): Output<string> {
    return this.#output("id");
  }

  get arn(): Output<string> {
    return this.#output("arn");
  }

  /** Who its tokens are from, `https://cognito-idp.<region>.amazonaws.com/<id>`. */
  get issuer(): Output<string> {
    return this.#output("issuer");
  }

  /** The address below which its keys lie, at `/.well-known/jwks.json`. */
  get endpoint(): Output<string> {
    return this.#output("endpoint");
  }

  /** The address of the hosted login; only with the option `domain`. */
  get domain(): Output<string> {
    return this.#output("domain");
  }

  /** What a function that links it gets. */
  getLink(): Link {
    return linkOf({
      kind: "CognitoUserPool",
      name: this.#name,
      domain: this.#hasDomain ? {} : null,
    });
  }

  #output(name: string): Output<string> {
    return new Output(new ComponentRef(this.#name, name));
  }
}
