import { aliases } from "../aliases.ts";
import type { AuthFlow, CognitoUserPoolClientNode, OAuthScope } from "../node.ts";
import { list, type Members, object, optional, type Parse } from "../options/parse.ts";
import { boolean, oneOf } from "../options/scalars.ts";
import type { Input } from "../output.ts";
import { inputString } from "../permissions.ts";
import { type Transform, transforms } from "../transform.ts";

export interface CognitoUserPoolClientArgs {
  /** Where the hosted login may send users back to, exactly. @default [] */
  callbackUrls?: Input<string>[];
  /** Where signing out may send them. @default [] */
  logoutUrls?: Input<string>[];
  /** For clients that can keep one, such as a server. It cannot be changed later. @default false */
  generateSecret?: boolean;
  /** How users may sign in by the API. @default ["USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"] */
  authFlows?: AuthFlow[];
  /** What the hosted login may be asked for. @default All of them. */
  scopes?: OAuthScope[];
  /** Changes what the cloud is asked for. */
  transform?: CognitoUserPoolClientTransforms;
  /** Earlier names of this client. */
  aliases?: string[];
}

export interface CognitoUserPoolClientTransforms {
  client?: Transform;
}

const SCOPES: readonly OAuthScope[] = [
  "openid",
  "email",
  "phone",
  "profile",
  "aws.cognito.signin.user.admin",
];

const DEFAULT_FLOWS: readonly AuthFlow[] = ["USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"];

type ClientOptions = Omit<CognitoUserPoolClientNode, "kind" | "name" | "source" | "pool">;

/** The options of `addClient`. */
export const cognitoUserPoolClientOptions: Parse<ClientOptions> = object(
  {
    callbackUrls: optional(list(inputString), []),
    logoutUrls: optional(list(inputString), []),
    generateSecret: optional(boolean, false),
    authFlows: optional(
      list(
        oneOf(
          "USER_PASSWORD_AUTH",
          "USER_SRP_AUTH",
          "ADMIN_USER_PASSWORD_AUTH",
          "REFRESH_TOKEN_AUTH",
        ),
      ),
      DEFAULT_FLOWS,
    ),
    scopes: optional(list(oneOf(...SCOPES)), SCOPES),
    transform: transforms("client"),
    aliases,
  } satisfies Members<CognitoUserPoolClientArgs>,
  ["providers"],
);
