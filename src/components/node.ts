import type { SourceLocation } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { Value } from "../model/value.ts";

/**
 * What a config evaluates to: plain, validated data about each component, without any cloud. A cloud lowers each
 * node to resources. User-written shapes (`"20 seconds"`, a handler string or an options object) are already parsed.
 */
export type ComponentNode =
  | FunctionNode
  | ApiGatewayV2Node
  | AuthNode
  | BucketNode
  | CognitoUserPoolNode
  | CognitoUserPoolClientNode
  | DynamoNode
  | SecretNode
  | LinkableNode;

interface NodeBase {
  /** Unique in the app regardless of case; `[A-Za-z][A-Za-z0-9]*`, at most 64 characters. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly source: SourceLocation | null;
  /**
   * The user's `transform`: per sub-resource an object to merge into, or a function to change, the lowered inputs.
   * Applied by `applyTransform` in components/transform.ts; every cloud calls it on the inputs it is about to return.
   */
  readonly transform: Readonly<Record<string, unknown>>;
}

/** An output of a component, such as `url`, before lowering; a leaf of {@link Value} trees in nodes. */
export class ComponentRef {
  readonly component: string;
  readonly output: string;

  constructor(component: string, output: string) {
    this.component = component;
    this.output = output;
  }
}

/**
 * A value computed from component outputs (`.apply`, `$interpolate`), before lowering: a leaf of {@link Value} trees in
 * nodes. `substitute` in components/resolve-refs.ts turns it into a `Computed`. `compute` gets plain JSON in the
 * order of `inputs`, must be pure, and may name further outputs in what it returns.
 */
export class ComponentComputed {
  readonly inputs: readonly NodeValue[];
  readonly compute: (values: readonly Json[]) => NodeValue;
  /** What comes out, where that is certain; for generated types only. */
  readonly resultType: "string" | "string[]" | "unknown";

  constructor(
    inputs: readonly NodeValue[],
    compute: (values: readonly Json[]) => NodeValue,
    resultType: "string" | "string[]" | "unknown" = "unknown",
  ) {
    this.inputs = inputs;
    this.compute = compute;
    this.resultType = resultType;
  }
}

/** A value in a node: a {@link Value} that may also hold {@link ComponentRef}s and {@link ComponentComputed}s. */
export type NodeValue =
  | Value
  | ComponentRef
  | ComponentComputed
  | readonly NodeValue[]
  | { readonly [key: string]: NodeValue };

/** What `link: [x]` contributes: properties for `Resource.X` and permissions for the role. */
export interface Link {
  readonly name: string;
  /** For example `scrim.aws.Bucket`; stands as `type` among the properties. */
  readonly type: string;
  readonly properties: Readonly<Record<string, NodeValue>>;
  readonly permissions: readonly Permission[];
}

export interface Permission {
  readonly effect: "allow" | "deny";
  readonly actions: readonly string[];
  readonly resources: readonly NodeValue[];
}

/** A function as users describe it, wherever it is written (component, route, subscriber). */
export interface FunctionSpec {
  /** `src/notes.list`: path without extension from the config's folder, then the export. */
  readonly handler: string;
  readonly description: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, NodeValue>>;
  readonly links: readonly Link[];
  readonly permissions: readonly Permission[];
  readonly architecture: "arm64" | "x86_64";
  readonly runtime: string;
  readonly concurrency: number | null;
  readonly bundle: BundleSettings;
  readonly url: FunctionUrlSpec | null;
  readonly source: SourceLocation | null;
  /**
   * Parts `function`, `url`, `role`, `logGroup` for `applyTransform`. Of a Function component the same object as the
   * node's own, so a cloud applies one of the two.
   */
  readonly transform?: Readonly<Record<string, unknown>>;
  /**
   * Stands in front of the handler, in the same bundle: the handler sees only requests that it lets in. Of it only
   * `handler` and `source` count; its links, permissions and environment are among those of the function.
   */
  readonly authorizer?: FunctionSpec;
}

export interface FunctionUrlSpec {
  readonly cors: CorsSpec | null;
}

/** Settings of esbuild that users may set under `nodejs`. */
export interface BundleSettings {
  readonly minify: boolean;
  readonly sourcemap: boolean;
  readonly external: readonly string[];
  readonly loader: Readonly<Record<string, string>>;
  readonly banner: string;
  /** `[{ from, to }]`, relative to the config's folder and to the bundle. */
  readonly copyFiles: readonly { readonly from: string; readonly to: string }[];
}

export interface CorsSpec {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  /** Seconds. */
  readonly maxAge: number | null;
}

/** Outputs: `name`, `arn`, and `url` when it has one. */
export interface FunctionNode extends NodeBase {
  readonly kind: "Function";
  readonly function: FunctionSpec;
}

/** Outputs: `url`, `id`. */
export interface ApiGatewayV2Node extends NodeBase {
  readonly kind: "ApiGatewayV2";
  readonly cors: CorsSpec | null;
  readonly routes: readonly RouteSpec[];
}

export interface RouteSpec {
  /** `GET /notes/{id}`, `ANY /x/{proxy+}` or `$default`. */
  readonly routeKey: string;
  readonly function: FunctionSpec;
  /** Null for a public route. */
  readonly auth: RouteAuth | null;
  readonly source: SourceLocation | null;
}

/** What protects a route. In the mode `composed` the route's function has the authorizer, too. */
export interface RouteAuth {
  /** Name of the Auth component. */
  readonly component: string;
  readonly authorizer: FunctionSpec;
}

/**
 * `composed`: the authorizer is part of every function that it protects. `gateway`: it is a function of its own that
 * the API asks. No outputs.
 */
export interface AuthNode extends NodeBase {
  readonly kind: "Auth";
  readonly mode: "composed" | "gateway";
  readonly authorizer: FunctionSpec;
}

/** Outputs: `name`, `arn`. */
export interface BucketNode extends NodeBase {
  readonly kind: "Bucket";
  readonly cors: CorsSpec | null;
  readonly versioning: boolean;
}

export interface TableIndex {
  readonly hashKey: string;
  readonly rangeKey: string | null;
  /** All attributes, only keys, or the named ones. */
  readonly projection: "all" | "keys-only" | readonly string[];
}

/** Outputs: `name`, `arn`. */
export interface DynamoNode extends NodeBase {
  readonly kind: "Dynamo";
  readonly fields: Readonly<Record<string, "string" | "number" | "binary">>;
  readonly primaryIndex: TableIndex;
  readonly globalIndexes: Readonly<Record<string, TableIndex>>;
  readonly localIndexes: Readonly<Record<string, TableIndex>>;
  readonly deletionProtection: boolean;
  /** Attribute name, or null. */
  readonly ttl: string | null;
  readonly stream: "keys-only" | "new-image" | "old-image" | "new-and-old-images" | null;
}

/** Outputs: `id`, `arn`, `issuer`, `endpoint`, `clientIds` (a list), and `domain` (a URL) when it has one. */
export interface CognitoUserPoolNode extends NodeBase {
  readonly kind: "CognitoUserPool";
  /** What users sign in with instead of a username; not together with `signInAliases`. */
  readonly usernames: readonly ("email" | "phone")[];
  /** What they may sign in with besides their username. */
  readonly signInAliases: readonly SignInAlias[];
  /** Texts with `{####}` for the code; null for the cloud's own. */
  readonly verify: {
    readonly emailSubject: string | null;
    readonly emailMessage: string | null;
    readonly smsMessage: string | null;
  } | null;
  readonly domain: UserPoolDomain | null;
  /** Names of its client components. */
  readonly clients: readonly string[];
}

export type SignInAlias = "email" | "phone" | "preferred_username";

/** A prefix of the cloud's own domain, null for one made of app and stage; or a domain of the user's. */
export type UserPoolDomain =
  | { readonly kind: "prefix"; readonly prefix: string | null }
  | { readonly kind: "custom"; readonly name: string };

export type AuthFlow =
  | "USER_PASSWORD_AUTH"
  | "USER_SRP_AUTH"
  | "ADMIN_USER_PASSWORD_AUTH"
  | "REFRESH_TOKEN_AUTH";

export type OAuthScope = "openid" | "email" | "phone" | "profile" | "aws.cognito.signin.user.admin";

/** Outputs: `id`, and `secret` (sensitive) when it has one. */
export interface CognitoUserPoolClientNode extends NodeBase {
  readonly kind: "CognitoUserPoolClient";
  /** Id of the pool. */
  readonly pool: NodeValue;
  readonly callbackUrls: readonly NodeValue[];
  readonly logoutUrls: readonly NodeValue[];
  readonly generateSecret: boolean;
  readonly authFlows: readonly AuthFlow[];
  readonly scopes: readonly OAuthScope[];
}

/** Outputs: `value` (sensitive). Resolved from the secrets logs before lowering; no cloud sees it. */
export interface SecretNode extends NodeBase {
  readonly kind: "Secret";
  /** Used where neither stage nor fallback has a value. */
  readonly placeholder: string | null;
}

/** Outputs: its properties. No cloud sees it. */
export interface LinkableNode extends NodeBase {
  readonly kind: "Linkable";
  readonly type: string;
  readonly properties: Readonly<Record<string, NodeValue>>;
  readonly permissions: readonly Permission[];
}

export type ComponentKind = ComponentNode["kind"];

/** The whole evaluated config. */
export interface EvaluatedApp {
  readonly name: string;
  readonly nodes: readonly ComponentNode[];
  /** What `run()` returned. */
  readonly outputs: Readonly<Record<string, NodeValue>>;
}

/** A plain value that `$jsonParse` and friends see; re-exported so that components need one import. */
export type PlainValue = Json;
