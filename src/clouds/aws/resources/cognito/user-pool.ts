import type {
  AliasAttributeType,
  UsernameAttributeType,
  UserPoolType,
} from "@aws-sdk/client-cognito-identity-provider";
import type { HandlerContext, Inputs, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { unless } from "../has-name.ts";
import { stringsIn } from "../input-parsers.ts";
import { areOurs, tagsFor } from "../ownership.ts";
import { type AwsPlace, arnOf } from "../place.ts";
import { settingsOfOthers, userPoolSettings } from "./user-pool-settings.ts";

const ABSENT = "ResourceNotFoundException";
/** What Cognito fixes when it makes a pool; a change would need another pool, without its users. */
const FIXED: readonly string[] = ["usernameAttributes", "aliasAttributes"];
/** As many as one page holds. */
const PAGE = 60;
/** More than an account may have. */
const PAGES_MAX = 200;

/**
 * `aws:user-pool`: inputs usernameAttributes, aliasAttributes, passwordPolicy, selfSignUp, verify; outputs id, arn,
 * issuer, endpoint. Names of pools are not unique, so it is found by its tags. Deleting it deletes its users.
 */
export function userPoolHandler(clients: AwsClients): ResourceHandler {
  const foundOf = (pool: UserPoolType): Found<UserPoolType> => ({
    ...{ id: pool.Id ?? "", tags: pool.UserPoolTags ?? {}, pending: null, thing: pool },
    outputs: outputsOf(clients, pool.Id ?? ""),
  });
  const byId = async (id: string, { signal }: HandlerContext) => {
    const { DescribeUserPoolCommand } = await sdk();
    const answer = await unless(
      (await clients.cognito()).send(new DescribeUserPoolCommand({ UserPoolId: id }), {
        abortSignal: signal,
      }),
      ABSENT,
    );
    return answer?.UserPool === undefined ? null : foundOf(answer.UserPool);
  };
  return awsResource<UserPoolType>({
    type: AWS_TYPES.userPool,
    recovery: "server-named",
    data: true,
    naming: { maxLength: 128, lowerCase: false },
    consistencyWindowMs: 10_000,
    replaces: (changedKeys, before) =>
      before === null ? [] : changedKeys.filter((key) => FIXED.includes(key)),
    stableOutputs: ["id", "arn", "issuer", "endpoint"],
    find: async (context, id) => {
      if (id !== null) return byId(id, context);
      for (const candidate of await poolsNamed(clients, context)) {
        const found = await byId(candidate, context);
        if (found !== null && areOurs(found.tags ?? {}, context.tags)) return found;
      }
      return null;
    },
    make: async ({ physicalName, tags, signal }, inputs) => {
      const { CreateUserPoolCommand } = await sdk();
      const request = {
        PoolName: physicalName,
        UserPoolTags: tagsFor(tags),
        ...signInWith(inputs),
        // Names and addresses that differ by case alone are one user's, as they are to people.
        UsernameConfiguration: { CaseSensitive: false },
        ...userPoolSettings(inputs),
      };
      const made = await (await clients.cognito()).send(new CreateUserPoolCommand(request), {
        abortSignal: signal,
      });
      return { ...foundOf(made.UserPool ?? {}), tags: tagsFor(tags) };
    },
    converge: async ({ signal }, { id, tags, thing }, inputs, changed) => {
      const { UpdateUserPoolCommand } = await sdk();
      await (await clients.cognito()).send(
        new UpdateUserPoolCommand({
          ...settingsOfOthers(thing),
          ...{ UserPoolId: id, UserPoolTags: { ...tags } },
          ...userPoolSettings(inputs),
        }),
        { abortSignal: signal },
      );
      changed();
      return null;
    },
    erase: async ({ signal }, { id }, changed) => {
      const { DeleteUserPoolCommand } = await sdk();
      await unless(
        (await clients.cognito()).send(new DeleteUserPoolCommand({ UserPoolId: id }), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      changed();
      return null;
    },
  });
}

function sdk() {
  return import("@aws-sdk/client-cognito-identity-provider");
}

function outputsOf(place: AwsPlace, id: string) {
  const suffix = place.partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com";
  const endpoint = `https://cognito-idp.${place.region}.${suffix}`;
  return {
    ...{ id, arn: arnOf(place, "cognito-idp", `userpool/${id}`) },
    ...{ issuer: `${endpoint}/${id}`, endpoint },
  };
}

/** Ids of the pools that have our name; others may have it, too. */
async function poolsNamed(
  clients: AwsClients,
  { physicalName, signal }: HandlerContext,
): Promise<readonly string[]> {
  const { ListUserPoolsCommand } = await sdk();
  const cognito = await clients.cognito();
  const ids: string[] = [];
  let token: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const next = token === undefined ? {} : { NextToken: token };
    const page = await cognito.send(new ListUserPoolsCommand({ MaxResults: PAGE, ...next }), {
      abortSignal: signal,
    });
    const named = (page.UserPools ?? []).filter(({ Name }) => Name === physicalName);
    ids.push(...named.flatMap(({ Id }) => Id ?? []));
    token = page.NextToken;
    if (token === undefined) return ids;
  }
  throw new Error(`the list of user pools has more than ${PAGES_MAX} pages`);
}

/** Either what users sign in with, or what they may sign in with besides a name. */
function signInWith(inputs: Inputs) {
  const usernames = stringsIn(inputs, "usernameAttributes").map(usernameAttribute);
  const aliases = stringsIn(inputs, "aliasAttributes").map(aliasAttribute);
  return {
    ...(usernames.length === 0 ? {} : { UsernameAttributes: usernames }),
    ...(aliases.length === 0 ? {} : { AliasAttributes: aliases }),
  };
}

function usernameAttribute(name: string): UsernameAttributeType {
  if (name === "email" || name === "phone_number") return name;
  throw new Error(`${name} is nothing that users sign in with`);
}

function aliasAttribute(name: string): AliasAttributeType {
  return name === "preferred_username" ? name : usernameAttribute(name);
}
