import type { HandlerContext, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { hasName, unless } from "../has-name.ts";
import { stringIn } from "../input-parsers.ts";
import { allPages } from "./all-pages.ts";
import { apiOf, type PartOfApi, parsePartId, partId } from "./part-of-api.ts";

const ABSENT = "NotFoundException";

/**
 * `aws:route`: inputs api (its id), routeKey, integration (its id), and auth, which says for plans what protects it;
 * no outputs. Its physical name stands in it as the name of its operation.
 */
export function routeHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-apigatewayv2");
  const foundOf = (place: PartOfApi): Found<PartOfApi> => ({
    ...{ id: partId(place), tags: null, pending: null, thing: place, outputs: {} },
  });
  const byName = async (context: HandlerContext): Promise<Found<PartOfApi> | null> => {
    const api = apiOf(context);
    if (api === null) return null;
    const { GetRoutesCommand } = await sdk();
    const apis = await clients.apigatewayv2();
    const all = await unless(
      allPages((page) =>
        apis.send(new GetRoutesCommand({ ApiId: api, ...page }), { abortSignal: context.signal }),
      ),
      ABSENT,
    );
    const found = all?.find(({ OperationName }) => OperationName === context.physicalName);
    return found?.RouteId === undefined ? null : foundOf({ api, part: found.RouteId });
  };
  return awsResource<PartOfApi>({
    type: AWS_TYPES.route,
    recovery: "unique-name",
    data: false,
    // As long as the name of an operation may be.
    naming: { maxLength: 64, lowerCase: false },
    consistencyWindowMs: 10_000,
    replaces: (changedKeys) => changedKeys.filter((key) => key === "api"),
    find: async (context, id) => {
      if (id === null) return byName(context);
      const place = parsePartId(id);
      if (place === null) return null;
      const { GetRouteCommand } = await sdk();
      const request = { ApiId: place.api, RouteId: place.part };
      const answer = await unless(
        (await clients.apigatewayv2()).send(new GetRouteCommand(request), {
          abortSignal: context.signal,
        }),
        ABSENT,
      );
      return answer && foundOf(place);
    },
    make: async ({ physicalName, signal }, inputs) => {
      const { CreateRouteCommand } = await sdk();
      const api = stringIn(inputs, "api");
      const request = {
        ApiId: api,
        RouteKey: stringIn(inputs, "routeKey"),
        Target: `integrations/${stringIn(inputs, "integration")}`,
        OperationName: physicalName,
      };
      try {
        const made = await (await clients.apigatewayv2()).send(new CreateRouteCommand(request), {
          abortSignal: signal,
        });
        return foundOf({ api, part: made.RouteId ?? "" });
      } catch (error) {
        const isTaken = /already exists/i.test(String(error));
        if (hasName(error, "ConflictException") && isTaken) return null;
        throw error;
      }
    },
    converge: async ({ physicalName, signal }, { thing }, inputs, changed) => {
      const { UpdateRouteCommand } = await sdk();
      await (await clients.apigatewayv2()).send(
        new UpdateRouteCommand({
          ApiId: thing.api,
          RouteId: thing.part,
          RouteKey: stringIn(inputs, "routeKey"),
          Target: `integrations/${stringIn(inputs, "integration")}`,
          OperationName: physicalName,
        }),
        { abortSignal: signal },
      );
      changed();
      return null;
    },
    erase: async ({ signal }, { thing }, changed) => {
      const { DeleteRouteCommand } = await sdk();
      const place = { ApiId: thing.api, RouteId: thing.part };
      await unless(
        (await clients.apigatewayv2()).send(new DeleteRouteCommand(place), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      changed();
      return null;
    },
  });
}
