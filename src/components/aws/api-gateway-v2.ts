import type { DiagnosticError } from "../../model/diagnostic.ts";
import { aliases } from "../aliases.ts";
import { CallSite } from "../call-site.ts";
import { declareComponent } from "../declare.ts";
import { currentLocator } from "../evaluation.ts";
import { type Linkable, links } from "../link.ts";
import { linkOf } from "../link-of.ts";
import { ComponentRef, type Link, type RouteSpec } from "../node.ts";
import { type Members, object, optional } from "../options/parse.ts";
import { Place } from "../options/place.ts";
import { routeKey } from "../options/route-key.ts";
import { Output } from "../output.ts";
import { type Transform, transforms } from "../transform.ts";
import { type CorsArgs, cors } from "./cors-options.ts";
import { functionSpec } from "./function-options.ts";
import { protectedFunction } from "./protected-function.ts";
import { parseRoute, type RouteArgs, type RouteOptions } from "./route-options.ts";

export interface ApiGatewayV2Args {
  /** @default true */
  cors?: boolean | CorsArgs;
  /** Components that the functions of all routes get. */
  link?: Linkable[];
  /** Changes what the cloud is asked for. */
  transform?: ApiGatewayV2Transforms;
  /** Earlier names of this component. */
  aliases?: string[];
}

export interface ApiGatewayV2Transforms {
  api?: Transform;
  stage?: Transform;
  route?: Transform;
}

const options = object(
  {
    cors,
    link: optional(links, []),
    transform: transforms("api", "stage", "route"),
    aliases,
  } satisfies Members<ApiGatewayV2Args>,
  ["accessLog", "domain", "vpc"],
);

/**
 * An HTTP API.
 *
 * @example
 * const api = new scrim.aws.ApiGatewayV2("Api");
 * api.route("GET /notes/{id}", "src/notes.read");
 */
export class ApiGatewayV2 implements Linkable {
  readonly #name: string;
  readonly #links: readonly Link[];
  readonly #routes = new Map<string, RouteSpec>();

  constructor(name: string, args: ApiGatewayV2Args = {}) {
    const declared = declareComponent("scrim.aws.ApiGatewayV2", name, new.target);
    const parsed = options(args, declared.at);
    this.#name = declared.name;
    this.#links = parsed.link;
    declared.complete(() => ({
      kind: "ApiGatewayV2",
      name: declared.name,
      aliases: parsed.aliases,
      transform: parsed.transform,
      cors: parsed.cors,
      routes: [...this.#routes.values()],
      get source() {
        return declared.location();
      },
    }));
  }

  /**
   * Answers requests of one method and path, or `$default` for all that no other route takes.
   *
   * @example
   * api.route("GET /notes", { handler: "src/notes.list", link: [notes] });
   * api.route("POST /notes", { handler: "src/notes.create", auth });
   */
  route(key: string, handler: string | RouteArgs, args?: RouteOptions): void {
    const site = new CallSite(currentLocator(), this.route);
    const { key: parsedKey, pattern } = routeKey(key, this.#place("route()", site));
    const at = this.#place(`route "${parsedKey}"`, site);
    const other = this.#routes.get(pattern);
    if (other !== undefined) throw duplicate(other, at);
    const parsed = parseRoute(handler, args, at);
    const location = () => site.location();
    const extra = { url: null, links: this.#links, location };
    const { auth } = parsed;
    this.#routes.set(pattern, {
      routeKey: parsedKey,
      function:
        auth === null ? functionSpec(parsed, extra) : protectedFunction(parsed, extra, auth, at),
      auth: auth === null ? null : { component: auth.component, authorizer: auth.authorizer },
      get source() {
        return location();
      },
    });
  }

  get url(): Output<string> {
    return new Output(new ComponentRef(this.#name, "url"));
  }

  /** What a function that links it gets. */
  getLink(): Link {
    return linkOf({ kind: "ApiGatewayV2", name: this.#name });
  }

  #place(what: string, site: CallSite): Place {
    return new Place(`${what} of scrim.aws.ApiGatewayV2 "${this.#name}"`, site);
  }
}

function duplicate(other: RouteSpec, at: Place): DiagnosticError {
  const first = other.source === null ? "" : ` (${other.source.file}:${other.source.line})`;
  return at.problem("ROUTE_DUPLICATE", `${at} matches the same requests as "${other.routeKey}"`, {
    why: `That route exists already${first}; names of parameters make no difference.`,
    hint: "Remove one of them or change its path.",
  });
}
