import type { GetApiCommandOutput } from "@aws-sdk/client-apigatewayv2";
import type { HandlerContext, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { corsIn, gatewayCors } from "../cors-inputs.ts";
import { unless } from "../has-name.ts";
import { areOurs, tagsFor } from "../ownership.ts";
import { arnOf } from "../place.ts";
import { allPages } from "./all-pages.ts";

/** What every answer about an API tells of it. */
type Api = Partial<
  Pick<GetApiCommandOutput, "ApiId" | "ApiEndpoint" | "CorsConfiguration" | "Tags">
>;

/**
 * `aws:api`: an HTTP API. Input cors; outputs id, url, executionArn (of all its calls, without what follows the id).
 * Names of APIs are not unique, so it is found by its tags.
 */
export function apiHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-apigatewayv2");
  const foundOf = (api: Api): Found<Api> => ({
    ...{ id: api.ApiId ?? "", tags: api.Tags ?? {}, pending: null, thing: api },
    outputs: {
      id: api.ApiId ?? "",
      url: (api.ApiEndpoint ?? "").replace(/\/$/, ""),
      executionArn: arnOf(clients, "execute-api", api.ApiId ?? ""),
    },
  });
  const byTags = async ({ tags, signal }: HandlerContext): Promise<Found<Api> | null> => {
    const { GetApisCommand } = await sdk();
    const apis = await clients.apigatewayv2();
    const all = await allPages((page) =>
      apis.send(new GetApisCommand(page), { abortSignal: signal }),
    );
    const api = all.find((each) => areOurs(each.Tags ?? {}, tags));
    return api === undefined ? null : foundOf(api);
  };
  return awsResource<Api>({
    type: AWS_TYPES.api,
    recovery: "server-named",
    data: false,
    naming: { maxLength: 128, lowerCase: false },
    consistencyWindowMs: 10_000,
    replaces: () => [],
    stableOutputs: ["id", "url", "executionArn"],
    find: async (context, id) => {
      if (id === null) return byTags(context);
      const { GetApiCommand } = await sdk();
      const api = await unless(
        (await clients.apigatewayv2()).send(new GetApiCommand({ ApiId: id }), {
          abortSignal: context.signal,
        }),
        "NotFoundException",
      );
      return api && foundOf(api);
    },
    make: async ({ physicalName, tags, signal }, inputs) => {
      const { CreateApiCommand } = await sdk();
      const cors = corsIn(inputs);
      const made = await (await clients.apigatewayv2()).send(
        new CreateApiCommand({
          Name: physicalName,
          ProtocolType: "HTTP",
          Tags: tagsFor(tags),
          ...(cors === null ? {} : { CorsConfiguration: gatewayCors(cors) }),
        }),
        { abortSignal: signal },
      );
      return { ...foundOf(made), tags: tagsFor(tags) };
    },
    converge: async ({ signal }, { id, thing }, inputs, changed) => {
      const { DeleteCorsConfigurationCommand, UpdateApiCommand } = await sdk();
      const apis = await clients.apigatewayv2();
      const cors = corsIn(inputs);
      if (cors !== null) {
        const request = { ApiId: id, CorsConfiguration: gatewayCors(cors) };
        await apis.send(new UpdateApiCommand(request), { abortSignal: signal });
        changed();
      } else if (thing.CorsConfiguration !== undefined) {
        await apis.send(new DeleteCorsConfigurationCommand({ ApiId: id }), {
          abortSignal: signal,
        });
        changed();
      }
      return null;
    },
    erase: async ({ signal }, { id }, changed) => {
      const { DeleteApiCommand } = await sdk();
      await unless(
        (await clients.apigatewayv2()).send(new DeleteApiCommand({ ApiId: id }), {
          abortSignal: signal,
        }),
        "NotFoundException",
      );
      changed();
      return null;
    },
  });
}
