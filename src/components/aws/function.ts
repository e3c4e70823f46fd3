import { declareComponent } from "../declare.ts";
import type { Linkable } from "../link.ts";
import { linkOf } from "../link-of.ts";
import { ComponentRef, type FunctionSpec, type Link } from "../node.ts";
import type { Place } from "../options/place.ts";
import { Output } from "../output.ts";
import { type FunctionArgs, functionOptions, functionSpec } from "./function-options.ts";

/**
 * A function; in configs `scrim.aws.Function`.
 *
 * @example
 * const resize = new scrim.aws.Function("Resize", { handler: "src/resize.run", timeout: "1 minute" });
 */
export class AwsFunction implements Linkable {
  readonly #name: string;
  readonly #spec: FunctionSpec;
  readonly #at: Place;

  constructor(name: string, args: FunctionArgs) {
    const declared = declareComponent("scrim.aws.Function", name, new.target);
    const parsed = functionOptions(args, declared.at);
    this.#name = declared.name;
    this.#at = declared.at;
    this.#spec = functionSpec(parsed, {
      url: parsed.url,
      links: [],
      location: declared.location,
    });
    declared.complete(() => ({
      kind: "Function",
      name: declared.name,
      aliases: parsed.aliases,
      transform: parsed.transform,
      function: this.#spec,
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

  /** The function's own URL, when it has the option `url`. */
  get url(): Output<string> {
    if (this.#spec.url !== null) return new Output(new ComponentRef(this.#name, "url"));
    throw this.#at.problem("OUTPUT_ABSENT", `${this.#at} has no URL`, {
      hint: "Give it the option `url: true`.",
    });
  }

  /** What a function that links it gets. */
  getLink(): Link {
    return linkOf({ kind: "Function", name: this.#name, function: this.#spec });
  }
}
