import { fail } from "../model/diagnostic.ts";
import { ApiGatewayV2 } from "./aws/api-gateway-v2.ts";
import { Auth } from "./aws/auth.ts";
import { Bucket } from "./aws/bucket.ts";
import { CognitoUserPool } from "./aws/cognito-user-pool.ts";
import { Dynamo } from "./aws/dynamo.ts";
import { AwsFunction } from "./aws/function.ts";
import { permission } from "./aws/permission.ts";
import { CallSite } from "./call-site.ts";
import { currentLocator } from "./evaluation.ts";
import { Linkable } from "./linkable.ts";
import { didYouMean } from "./options/suggest.ts";
import { Secret } from "./secret.ts";

/** The global `scrim` of configs. Reading a member that does not exist says which ones do. */
export const scrim = strict("scrim", {
  aws: strict("scrim.aws", {
    ApiGatewayV2,
    Auth,
    Bucket,
    CognitoUserPool,
    Dynamo,
    Function: AwsFunction,
    permission,
  }),
  Linkable,
  Secret,
});

function strict<T extends object>(name: string, members: T): T {
  const known = Object.keys(members);
  return new Proxy(Object.freeze(members), {
    get(target, key, receiver): unknown {
      if (typeof key === "symbol" || Object.hasOwn(target, key)) {
        return Reflect.get(target, key, receiver);
      }
      throw unknownMember(`${name}.${key}`, key, known);
    },
  });
}

function unknownMember(path: string, key: string, known: readonly string[]): Error {
  const source = new CallSite(currentLocator(), unknownMember).location();
  return fail("COMPONENT_UNKNOWN", `There is no ${path}`, {
    why: `There are: ${known.join(", ")}.`,
    hint: didYouMean(key, known, "components"),
    ...(source === null ? {} : { source }),
  });
}
