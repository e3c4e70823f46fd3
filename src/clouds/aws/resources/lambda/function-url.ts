import type { ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { corsIn, urlCors } from "../cors-inputs.ts";
import { dependencyOutput } from "../dependency-output.ts";
import { hasName, unless } from "../has-name.ts";
import { stringIn } from "../input-parsers.ts";

/** `aws:function-url`: inputs function (its name), cors; output url. Its id is the function's name. */
export function functionUrlHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-lambda");
  const foundOf = (name: string, url: string): Found<null> => ({
    ...{ id: name, tags: null, pending: null, thing: null },
    outputs: { url: url.replace(/\/$/, "") },
  });
  return awsResource<null>({
    type: AWS_TYPES.functionUrl,
    recovery: "unique-name",
    data: false,
    naming: { maxLength: 64, lowerCase: false },
    consistencyWindowMs: 5_000,
    replaces: (changedKeys) => changedKeys.filter((key) => key === "function"),
    stableOutputs: ["url"],
    find: async (context, id) => {
      const name = id ?? dependencyOutput(context, AWS_TYPES.function, "name");
      if (name === null) return null;
      const { GetFunctionUrlConfigCommand } = await sdk();
      const answer = await unless(
        (await clients.lambda()).send(new GetFunctionUrlConfigCommand({ FunctionName: name }), {
          abortSignal: context.signal,
        }),
        "ResourceNotFoundException",
      );
      return answer && foundOf(name, answer.FunctionUrl ?? "");
    },
    make: async ({ signal }, inputs) => {
      const { CreateFunctionUrlConfigCommand } = await sdk();
      const name = stringIn(inputs, "function");
      const cors = corsIn(inputs);
      const request = {
        FunctionName: name,
        AuthType: "NONE" as const,
        ...(cors === null ? {} : { Cors: urlCors(cors) }),
      };
      try {
        const made = await (await clients.lambda()).send(
          new CreateFunctionUrlConfigCommand(request),
          { abortSignal: signal },
        );
        return foundOf(name, made.FunctionUrl ?? "");
      } catch (error) {
        const isTaken = /exists/i.test(String(error));
        if (hasName(error, "ResourceConflictException") && isTaken) return null;
        throw error;
      }
    },
    converge: async ({ signal }, { id }, inputs, changed) => {
      const { UpdateFunctionUrlConfigCommand } = await sdk();
      const cors = corsIn(inputs);
      await (await clients.lambda()).send(
        new UpdateFunctionUrlConfigCommand({
          FunctionName: id,
          AuthType: "NONE",
          // An empty one takes away what was there.
          Cors: cors === null ? {} : urlCors(cors),
        }),
        { abortSignal: signal },
      );
      changed();
      return null;
    },
    erase: async ({ signal }, { id }, changed) => {
      const { DeleteFunctionUrlConfigCommand } = await sdk();
      await unless(
        (await clients.lambda()).send(new DeleteFunctionUrlConfigCommand({ FunctionName: id }), {
          abortSignal: signal,
        }),
        "ResourceNotFoundException",
      );
      changed();
      return null;
    },
  });
}
