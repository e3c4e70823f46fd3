import type { ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { hasName, unless } from "../has-name.ts";
import { stringIn } from "../input-parsers.ts";
import { tagsFor } from "../ownership.ts";
import { apiOf, type PartOfApi, parsePartId, partId } from "./part-of-api.ts";

const ABSENT = "NotFoundException";
/** The stage that an API's URL leads to without a path of its own. */
const STAGE = "$default";

/** `aws:api-stage`: makes an API answer, every change at once. Input api (its id); no outputs. */
export function apiStageHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-apigatewayv2");
  const foundOf = (api: string): Found<PartOfApi> => {
    const place = { api, part: STAGE };
    return { id: partId(place), tags: null, pending: null, thing: place, outputs: {} };
  };
  return awsResource<PartOfApi>({
    type: AWS_TYPES.apiStage,
    recovery: "unique-name",
    data: false,
    naming: { maxLength: 128, lowerCase: false },
    consistencyWindowMs: 10_000,
    replaces: (changedKeys) => changedKeys.filter((key) => key === "api"),
    find: async (context, id) => {
      const api = id === null ? apiOf(context) : (parsePartId(id)?.api ?? null);
      if (api === null) return null;
      const { GetStageCommand } = await sdk();
      const answer = await unless(
        (await clients.apigatewayv2()).send(new GetStageCommand({ ApiId: api, StageName: STAGE }), {
          abortSignal: context.signal,
        }),
        ABSENT,
      );
      return answer && foundOf(api);
    },
    make: async ({ tags, signal }, inputs) => {
      const { CreateStageCommand } = await sdk();
      const api = stringIn(inputs, "api");
      const request = { ApiId: api, StageName: STAGE, AutoDeploy: true, Tags: tagsFor(tags) };
      try {
        await (await clients.apigatewayv2()).send(new CreateStageCommand(request), {
          abortSignal: signal,
        });
        return foundOf(api);
      } catch (error) {
        const isTaken = /already exists/i.test(String(error));
        if (hasName(error, "ConflictException") && isTaken) return null;
        throw error;
      }
    },
    // It has no settings.
    converge: async () => null,
    erase: async ({ signal }, { thing }, changed) => {
      const { DeleteStageCommand } = await sdk();
      const place = { ApiId: thing.api, StageName: STAGE };
      await unless(
        (await clients.apigatewayv2()).send(new DeleteStageCommand(place), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      changed();
      return null;
    },
  });
}
