import type { HandlerContext, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { errorText } from "../../client/error-facts.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { dependencyOutput } from "../dependency-output.ts";
import { unless } from "../has-name.ts";
import { stringIn, stringOrNullIn } from "../input-parsers.ts";
import { PLACE_LENGTH, placedName } from "../placed-name.ts";

const ABSENT = "ResourceNotFoundException";

/** A domain, and the pool whose login it shows. */
interface DomainThing {
  readonly pool: string;
  readonly prefix: string;
}

/**
 * `aws:user-pool-domain`: inputs pool (its id), prefix (null for one of our making); output domain, a URL. A pool has
 * at most one, so it is found by its pool.
 */
export function userPoolDomainHandler(clients: AwsClients): ResourceHandler {
  const outputsFor = (prefix: string) => ({
    domain: `https://${prefix}.auth.${clients.region}.amazoncognito.com`,
  });
  const foundOf = (thing: DomainThing): Found<DomainThing> => ({
    ...{ id: `${thing.pool}/${thing.prefix}`, tags: null, pending: null, thing },
    outputs: outputsFor(thing.prefix),
  });
  const prefixOf = async (pool: string, abortSignal: AbortSignal): Promise<string | undefined> => {
    const { DescribeUserPoolCommand } = await sdk();
    const request = new DescribeUserPoolCommand({ UserPoolId: pool });
    const answer = await unless((await clients.cognito()).send(request, { abortSignal }), ABSENT);
    return answer?.UserPool?.Domain;
  };
  return awsResource<DomainThing>({
    type: AWS_TYPES.userPoolDomain,
    recovery: "unique-name",
    data: false,
    naming: { maxLength: 63 - PLACE_LENGTH, lowerCase: true },
    consistencyWindowMs: 10_000,
    replaces: (changedKeys) => changedKeys,
    predict: (physicalName, { prefix = null }) => {
      if (prefix === null) return outputsFor(placedName(physicalName, clients));
      return typeof prefix === "string" ? outputsFor(prefix) : {};
    },
    find: async (context, id) => {
      const pool = id === null ? poolOf(context) : id.slice(0, id.indexOf("/"));
      if (pool === null) return null;
      const prefix = await prefixOf(pool, context.signal);
      const found = prefix === undefined ? null : foundOf({ pool, prefix });
      return id === null || found?.id === id ? found : null;
    },
    make: async ({ physicalName, signal }, inputs) => {
      const { CreateUserPoolDomainCommand } = await sdk();
      const pool = stringIn(inputs, "pool");
      const prefix = stringOrNullIn(inputs, "prefix") ?? placedName(physicalName, clients);
      const request = new CreateUserPoolDomainCommand({ Domain: prefix, UserPoolId: pool });
      try {
        await (await clients.cognito()).send(request, { abortSignal: signal });
        return foundOf({ pool, prefix });
      } catch (error) {
        // The same error for a domain that an earlier try has made and for one of somebody else.
        if (!/already/i.test(errorText(error))) throw error;
        if ((await prefixOf(pool, signal)) !== prefix) throw error;
        return null;
      }
    },
    // Whatever changes makes another domain.
    converge: async () => null,
    erase: async ({ signal }, { thing }, changed) => {
      const { DeleteUserPoolDomainCommand } = await sdk();
      const request = { Domain: thing.prefix, UserPoolId: thing.pool };
      await unless(
        (await clients.cognito()).send(new DeleteUserPoolDomainCommand(request), {
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

function poolOf(context: HandlerContext): string | null {
  return dependencyOutput(context, AWS_TYPES.userPool, "id");
}
