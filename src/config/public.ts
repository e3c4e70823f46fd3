import type { ApiGatewayV2 } from "../components/aws/api-gateway-v2.ts";
import type { Auth } from "../components/aws/auth.ts";
import type { Bucket } from "../components/aws/bucket.ts";
import type { CognitoUserPool } from "../components/aws/cognito-user-pool.ts";
import type { CognitoUserPoolClient } from "../components/aws/cognito-user-pool-client.ts";
import type { Dynamo } from "../components/aws/dynamo.ts";
import type { AwsFunction } from "../components/aws/function.ts";
import type { permission } from "../components/aws/permission.ts";
import type {
  concat,
  interpolate,
  jsonParse,
  jsonStringify,
  resolve,
} from "../components/interpolate.ts";
import type { Linkable } from "../components/linkable.ts";
import type { Secret } from "../components/secret.ts";
import type { AppGlobal, Config } from "./globals.ts";

// What `/// <reference types="scrim/config" />` brings into a config: types only, no code. The values are put in place
// by installGlobals when a config is loaded.

export type { ApiGatewayV2Args } from "../components/aws/api-gateway-v2.ts";
export type { AuthArgs, AuthorizerArgs } from "../components/aws/auth.ts";
export type { BucketArgs } from "../components/aws/bucket.ts";
export type { CognitoUserPoolClientArgs } from "../components/aws/cognito-user-pool-client-options.ts";
export type { CognitoUserPoolArgs } from "../components/aws/cognito-user-pool-options.ts";
export type { CorsArgs } from "../components/aws/cors-options.ts";
export type { DynamoArgs } from "../components/aws/dynamo-options.ts";
export type { FunctionArgs, FunctionUrlArgs } from "../components/aws/function-options.ts";
export type { RouteArgs, RouteOptions } from "../components/aws/route-options.ts";
export type { LinkableArgs } from "../components/linkable.ts";
export type { Duration } from "../components/options/duration.ts";
export type { Size } from "../components/options/size.ts";
export type { Input, Output } from "../components/output.ts";
export type { SecretArgs } from "../components/secret.ts";
export type { AppArgs, AppInput } from "./app-settings.ts";
export type {
  AutodeployEvent,
  AutodeployTarget,
  BranchEvent,
  ConsoleArgs,
  PullRequestEvent,
  TagEvent,
} from "./console-settings.ts";
export type { Config } from "./globals.ts";

type LinkableClass = typeof Linkable;
type SecretClass = typeof Secret;

declare global {
  /** Describes the app; the default export of `scrim.config.ts`. */
  const $config: (config: Config) => Config;
  /** The app and the stage that the config is evaluated for. */
  const $app: AppGlobal;
  /** Whether `scrim dev` evaluates the config. */
  const $dev: boolean;
  /** A template string that may hold outputs. */
  const $interpolate: typeof interpolate;
  /** Strings and outputs joined into one. */
  const $concat: typeof concat;
  /** What the JSON text of an output says. */
  const $jsonParse: typeof jsonParse;
  /** The JSON text of a value that may hold outputs. */
  const $jsonStringify: typeof jsonStringify;
  /** One output of an array or object that holds outputs. */
  const $resolve: typeof resolve;

  namespace scrim {
    const Linkable: LinkableClass;
    type Linkable<Properties extends Record<string, unknown> = Record<string, unknown>> =
      InstanceType<typeof import("../components/linkable.ts").Linkable<Properties>>;
    const Secret: SecretClass;
    type Secret = InstanceType<SecretClass>;

    namespace aws {
      const ApiGatewayV2: ApiGatewayV2Class;
      type ApiGatewayV2 = InstanceType<ApiGatewayV2Class>;
      const Auth: AuthClass;
      type Auth = InstanceType<AuthClass>;
      const Bucket: BucketClass;
      type Bucket = InstanceType<BucketClass>;
      const CognitoUserPool: CognitoUserPoolClass;
      type CognitoUserPool = InstanceType<CognitoUserPoolClass>;
      /** Made by `addClient()` of a pool. */
      type CognitoUserPoolClient = UserPoolClient;
      const Dynamo: DynamoClass;
      type Dynamo = InstanceType<DynamoClass>;
      // biome-ignore lint/suspicious/noShadowRestrictedNames: the name that users know
      const Function: FunctionClass;
      type Function = InstanceType<FunctionClass>;
      const permission: Permission;
    }
  }
}

// Inside of the namespaces their own names hide the imported ones.
type ApiGatewayV2Class = typeof ApiGatewayV2;
type AuthClass = typeof Auth;
type BucketClass = typeof Bucket;
type CognitoUserPoolClass = typeof CognitoUserPool;
type UserPoolClient = CognitoUserPoolClient;
type DynamoClass = typeof Dynamo;
type FunctionClass = typeof AwsFunction;
type Permission = typeof permission;
