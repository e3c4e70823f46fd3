import { aliases } from "./aliases.ts";
import { declareComponent } from "./declare.ts";
import type { Linkable } from "./link.ts";
import { linkOf } from "./link-of.ts";
import { ComponentRef, type Link } from "./node.ts";
import { type Members, object, optional } from "./options/parse.ts";
import { string } from "./options/scalars.ts";
import { Output } from "./output.ts";

export interface SecretArgs {
  /** Used where neither the stage nor the fallback has a value. Not secret. */
  placeholder?: string;
  /** Earlier names of this component. */
  aliases?: string[];
}

const options = object({
  placeholder: optional(string, null),
  aliases,
} satisfies Members<SecretArgs>);

/**
 * A value that is set for each stage with `scrim secret set <name>`, kept encrypted.
 *
 * @example
 * const token = new scrim.Secret("ApiToken");
 */
export class Secret implements Linkable {
  readonly #name: string;

  /** @param args the placeholder, or an object that holds it */
  constructor(name: string, args: string | SecretArgs = {}) {
    const declared = declareComponent("scrim.Secret", name, new.target);
    const parsed = options(typeof args === "string" ? { placeholder: args } : args, declared.at);
    this.#name = declared.name;
    declared.complete(() => ({
      kind: "Secret",
      name: declared.name,
      aliases: parsed.aliases,
      transform: {},
      placeholder: parsed.placeholder,
      get source() {
        return declared.location();
      },
    }));
  }

  /** The value. It is kept out of state, logs and plans. */
  get value(): Output<string> {
    return new Output(new ComponentRef(this.#name, "value"));
  }

  /** What a function that links it gets. */
  getLink(): Link {
    return linkOf({ kind: "Secret", name: this.#name });
  }
}
