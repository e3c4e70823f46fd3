import { aliases } from "./aliases.ts";
import { type AwsPermission, isAwsPermission } from "./aws/permission.ts";
import { declareComponent } from "./declare.ts";
import type { Linkable as CanLink } from "./link.ts";
import type { Link, NodeValue, Permission } from "./node.ts";
import { list, type Members, object, optional, type Parse, record } from "./options/parse.ts";
import { toNodeValue } from "./to-node-value.ts";

export interface LinkableArgs<Properties extends Record<string, unknown>> {
  /** What `Resource.<Name>` holds in functions that link it: JSON values and outputs. */
  properties: Properties;
  /** Permissions that functions get by linking it, made by `scrim.aws.permission()`. */
  include?: AwsPermission[];
  /** Earlier names of this component. */
  aliases?: string[];
}

const properties: Parse<Readonly<Record<string, NodeValue>>> = record(toNodeValue, (key, at) => {
  if (key !== "type") return;
  throw at.problem("OPTION_INVALID", `${at} cannot be set`, {
    why: "`type` says what kind of component is linked, here `scrim.Linkable`.",
    hint: "Use another name for the property.",
  });
});

const permission: Parse<Permission> = (value, at) => {
  if (isAwsPermission(value)) return value.permission;
  throw at.invalid(value, "what scrim.aws.permission() returns");
};

const options = object({
  properties,
  include: optional(list(permission), []),
  aliases,
} satisfies Members<LinkableArgs<Record<string, unknown>>>);

/**
 * Values of your own under a name, to be linked to functions.
 *
 * @example
 * const limits = new scrim.Linkable("Limits", { properties: { uploads: 10 } });
 */
export class Linkable<Properties extends Record<string, unknown> = Record<string, unknown>>
  implements CanLink
{
  readonly #name: string;
  readonly #properties: Properties;
  readonly #link: Link;

  constructor(name: string, args: LinkableArgs<Properties>) {
    const declared = declareComponent("scrim.Linkable", name, new.target);
    const parsed = options(args, declared.at);
    this.#name = declared.name;
    this.#properties = args.properties;
    this.#link = {
      name: this.#name,
      type: "scrim.Linkable",
      properties: parsed.properties,
      permissions: parsed.include,
    };
    declared.complete(() => ({
      kind: "Linkable",
      aliases: parsed.aliases,
      transform: {},
      ...this.#link,
      get source() {
        return declared.location();
      },
    }));
  }

  /** The properties, as given. */
  get properties(): Properties {
    return this.#properties;
  }

  /** What a function that links it gets. */
  getLink(): Link {
    return this.#link;
  }
}
