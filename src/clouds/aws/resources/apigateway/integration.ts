import type { HandlerContext, Inputs, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { unless } from "../has-name.ts";
import { numberIn, stringIn } from "../input-parsers.ts";
import { allPages } from "./all-pages.ts";
import { apiOf, type PartOfApi, parsePartId, partId } from "./part-of-api.ts";

const ABSENT = "NotFoundException";

/**
 * `aws:integration`: what an API hands a request to. Inputs api (its id), functionArn, timeoutMs; output id. It has
 * neither name nor tags, so it is found by its description, which is its physical name.
 */
export function integrationHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-apigatewayv2");
  const foundOf = (place: PartOfApi): Found<PartOfApi> => ({
    ...{ id: partId(place), tags: null, pending: null, thing: place },
    outputs: { id: place.part },
  });
  const byDescription = async (context: HandlerContext): Promise<Found<PartOfApi> | null> => {
    const api = apiOf(context);
    if (api === null) return null;
    const { GetIntegrationsCommand } = await sdk();
    const apis = await clients.apigatewayv2();
    const all = await unless(
      allPages((page) =>
        apis.send(new GetIntegrationsCommand({ ApiId: api, ...page }), {
          abortSignal: context.signal,
        }),
      ),
      ABSENT,
    );
    const found = all?.find(({ Description }) => Description === context.physicalName);
    return found?.IntegrationId === undefined ? null : foundOf({ api, part: found.IntegrationId });
  };
  return awsResource<PartOfApi>({
    type: AWS_TYPES.integration,
    recovery: "server-named",
    data: false,
    naming: { maxLength: 128, lowerCase: false },
    consistencyWindowMs: 10_000,
    replaces: (changedKeys) => changedKeys.filter((key) => key === "api"),
    stableOutputs: ["id"],
    find: async (context, id) => {
      if (id === null) return byDescription(context);
      const place = parsePartId(id);
      if (place === null) return null;
      const { GetIntegrationCommand } = await sdk();
      const request = { ApiId: place.api, IntegrationId: place.part };
      const answer = await unless(
        (await clients.apigatewayv2()).send(new GetIntegrationCommand(request), {
          abortSignal: context.signal,
        }),
        ABSENT,
      );
      return answer && foundOf(place);
    },
    make: async ({ physicalName, signal }, inputs) => {
      const { CreateIntegrationCommand } = await sdk();
      const api = stringIn(inputs, "api");
      const made = await (await clients.apigatewayv2()).send(
        new CreateIntegrationCommand({
          ApiId: api,
          Description: physicalName,
          IntegrationType: "AWS_PROXY",
          PayloadFormatVersion: "2.0",
          ...settingsOf(inputs),
        }),
        { abortSignal: signal },
      );
      return foundOf({ api, part: made.IntegrationId ?? "" });
    },
    converge: async ({ signal }, { thing }, inputs, changed) => {
      const { UpdateIntegrationCommand } = await sdk();
      const place = { ApiId: thing.api, IntegrationId: thing.part };
      await (await clients.apigatewayv2()).send(
        new UpdateIntegrationCommand({ ...place, ...settingsOf(inputs) }),
        { abortSignal: signal },
      );
      changed();
      return null;
    },
    erase: async ({ signal }, { thing }, changed) => {
      const { DeleteIntegrationCommand } = await sdk();
      const place = { ApiId: thing.api, IntegrationId: thing.part };
      await unless(
        (await clients.apigatewayv2()).send(new DeleteIntegrationCommand(place), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      changed();
      return null;
    },
  });
}

function settingsOf(inputs: Inputs) {
  return {
    IntegrationUri: stringIn(inputs, "functionArn"),
    TimeoutInMillis: numberIn(inputs, "timeoutMs"),
  };
}
