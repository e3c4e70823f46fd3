import { aliases } from "../aliases.ts";
import { declareComponent } from "../declare.ts";
import { type Linkable, links } from "../link.ts";
import type { AuthNode, RouteAuth } from "../node.ts";
import { handler } from "../options/handler.ts";
import { type Members, object, optional, type Parse } from "../options/parse.ts";
import { oneOf } from "../options/scalars.ts";
import type { Input } from "../output.ts";
import { type PermissionArgs, permissions } from "../permissions.ts";
import { environment } from "./environment-option.ts";
import { FUNCTION_NOT_YET, functionBase, functionSpec } from "./function-options.ts";

/** The function that decides who may go on. */
export interface AuthorizerArgs {
  /** `<path>.<export>` from the config's folder, for example `src/auth.handler`. */
  handler: string;
  /** Environment variables, added to those of every function that it protects. */
  environment?: Record<string, Input<string>>;
  /** Components whose properties and permissions every function gets that it protects. */
  link?: Linkable[];
  permissions?: PermissionArgs[];
}

export interface AuthArgs {
  /** The authorizer, or its handler alone. */
  authorizer: string | AuthorizerArgs;
  /**
   * `composed` makes the authorizer a part of every function that it protects. `gateway` lets the API ask a function
   * of its own, and the API then words the refusals.
   * @default "composed"
   */
  mode?: "composed" | "gateway";
  /** Earlier names of this component. */
  aliases?: string[];
}

const authorizerObject = object(
  {
    handler,
    environment,
    link: optional(links, []),
    permissions: optional(permissions, []),
  } satisfies Members<AuthorizerArgs>,
  // It runs inside of the functions of routes, whose own options these are.
  [...Object.keys(functionBase), ...FUNCTION_NOT_YET],
);

const functionObject = object(functionBase);

const authorizer: Parse<ReturnType<typeof functionObject>> = (value, at) => {
  const given = typeof value === "string" ? { handler: value } : value;
  authorizerObject(given, at);
  return functionObject(given, at);
};

const options = object(
  {
    authorizer,
    mode: optional(oneOf("composed", "gateway"), "composed"),
    aliases,
  } satisfies Members<AuthArgs>,
  ["forceUpgrade", "issuer", "domain", "transform"],
);

/**
 * Protects the routes that name it in their option `auth`.
 *
 * @example
 * const auth = new scrim.aws.Auth("Auth", { authorizer: { handler: "src/auth.handler" } });
 * api.route("GET /me", { handler: "src/me.get", auth });
 */
export class Auth {
  readonly #node: Omit<AuthNode, "source">;

  constructor(name: string, args: AuthArgs) {
    const declared = declareComponent("scrim.aws.Auth", name, new.target);
    const parsed = options(args, declared.at);
    const { location } = declared;
    const spec = functionSpec(parsed.authorizer, { url: null, links: [], location });
    const { mode, aliases: earlier } = parsed;
    const base = { name: declared.name, aliases: earlier, transform: {} };
    this.#node = { ...base, kind: "Auth", mode, authorizer: spec };
    declared.complete(() => ({
      ...this.#node,
      get source() {
        return declared.location();
      },
    }));
  }

  /**
   * What a route that is protected by a value has; null when the value is no Auth component.
   *
   * @internal
   */
  static protecting(value: unknown): ProtectedBy | null {
    if (typeof value !== "object" || value === null || !(#node in value)) return null;
    const { name, mode, authorizer: spec } = value.#node;
    return { component: name, mode, authorizer: spec };
  }
}

/** What protects a route, and in which way. */
export interface ProtectedBy extends RouteAuth {
  readonly mode: AuthNode["mode"];
}
