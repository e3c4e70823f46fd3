import type { HandlerContext, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { unless } from "../has-name.ts";
import { numberIn } from "../input-parsers.ts";
import { tagsFor } from "../ownership.ts";
import { type AwsPlace, arnOf } from "../place.ts";
import { logGroupName } from "./log-group-name.ts";

interface LogGroupThing {
  readonly retentionDays: number | null;
}

/**
 * `aws:log-group`: inputs name, retentionDays; outputs name, arn. A stage has one for all its functions, under a name that
 * is made of app and stage alone ({@link logGroupName}), so that logs are found without the stage's state.
 */
export function logGroupHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-cloudwatch-logs");
  const foundOf = (name: string, tags: Found<unknown>["tags"], retentionDays: number | null) => ({
    ...{ id: name, tags, pending: null, thing: { retentionDays } },
    inputs: { retentionDays },
    outputs: { name, arn: logGroupArn(clients, name) },
  });
  return awsResource<LogGroupThing>({
    type: AWS_TYPES.logGroup,
    recovery: "unique-name",
    data: false,
    naming: { maxLength: 512, lowerCase: false },
    consistencyWindowMs: 5_000,
    replaces: (changedKeys) => changedKeys.filter((key) => key === "name"),
    predict: (_, inputs) => {
      const { name } = inputs;
      return typeof name === "string" ? { name, arn: logGroupArn(clients, name) } : {};
    },
    find: async (context, id) => {
      const { DescribeLogGroupsCommand, ListTagsForResourceCommand } = await sdk();
      const name = id ?? nameFor(context);
      const logs = await clients.logs();
      const described = await logs.send(
        new DescribeLogGroupsCommand({ logGroupNamePrefix: name }),
        { abortSignal: context.signal },
      );
      const group = described.logGroups?.find(({ logGroupName }) => logGroupName === name);
      if (group === undefined) return null;
      const tagged = await unless(
        logs.send(new ListTagsForResourceCommand({ resourceArn: logGroupArn(clients, name) }), {
          abortSignal: context.signal,
        }),
        "ResourceNotFoundException",
      );
      return tagged && foundOf(name, tagged.tags ?? {}, group.retentionInDays ?? null);
    },
    make: async (context) => {
      const { CreateLogGroupCommand } = await sdk();
      const name = nameFor(context);
      const tags = tagsFor(context.tags);
      const made = await unless(
        (await clients.logs()).send(new CreateLogGroupCommand({ logGroupName: name, tags }), {
          abortSignal: context.signal,
        }),
        "ResourceAlreadyExistsException",
      );
      return made && foundOf(name, tags, null);
    },
    converge: async (context, { id, thing }, inputs, changed) => {
      const retentionInDays = numberIn(inputs, "retentionDays");
      if (thing.retentionDays === retentionInDays) return null;
      const { PutRetentionPolicyCommand } = await sdk();
      await (await clients.logs()).send(
        new PutRetentionPolicyCommand({ logGroupName: id, retentionInDays }),
        { abortSignal: context.signal },
      );
      changed();
      return null;
    },
    erase: async (context, { id }, changed) => {
      const { DeleteLogGroupCommand } = await sdk();
      await unless(
        (await clients.logs()).send(new DeleteLogGroupCommand({ logGroupName: id }), {
          abortSignal: context.signal,
        }),
        "ResourceNotFoundException",
      );
      changed();
      return null;
    },
  });
}

function nameFor({ tags }: HandlerContext): string {
  return logGroupName(tags["scrim:app"], tags["scrim:stage"]);
}

function logGroupArn(place: AwsPlace, name: string): string {
  return arnOf(place, "logs", `log-group:${name}`);
}
