import type { HandlerContext, Inputs, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { dependencyOutput } from "../dependency-output.ts";
import { hasName, unless } from "../has-name.ts";
import { stringIn, stringOrNullIn } from "../input-parsers.ts";

/**
 * `aws:permission`: who else may call a function. Inputs function (its name), action, principal, sourceArn,
 * urlAuthType, viaUrl; no outputs. A statement cannot be changed, so every change replaces it.
 */
export function permissionHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-lambda");
  const foundOf = (name: string, sid: string): Found<null> => ({
    ...{ id: `${name}/${sid}`, tags: null, pending: null, thing: null },
    outputs: {},
  });
  return awsResource<null>({
    type: AWS_TYPES.permission,
    recovery: "unique-name",
    data: false,
    naming: { maxLength: 100, lowerCase: false },
    consistencyWindowMs: 5_000,
    replaces: (changedKeys) => changedKeys,
    find: async (context, id) => {
      const place = id === null ? placeFor(context) : splitId(id);
      if (place === null) return null;
      const { GetPolicyCommand } = await sdk();
      const answer = await unless(
        (await clients.lambda()).send(new GetPolicyCommand({ FunctionName: place.name }), {
          abortSignal: context.signal,
        }),
        "ResourceNotFoundException",
      );
      const isThere = statementIds(answer?.Policy).includes(place.sid);
      return isThere ? foundOf(place.name, place.sid) : null;
    },
    make: async ({ physicalName, signal }, inputs) => {
      const { AddPermissionCommand } = await sdk();
      const name = stringIn(inputs, "function");
      try {
        await (await clients.lambda()).send(
          new AddPermissionCommand({ StatementId: physicalName, ...requestOf(name, inputs) }),
          { abortSignal: signal },
        );
        return foundOf(name, physicalName);
      } catch (error) {
        if (isTaken(error)) return null;
        throw error;
      }
    },
    converge: async () => null,
    erase: async ({ signal }, { id }, changed) => {
      const place = splitId(id);
      if (place === null) return null;
      const { RemovePermissionCommand } = await sdk();
      const request = { FunctionName: place.name, StatementId: place.sid };
      await unless(
        (await clients.lambda()).send(new RemovePermissionCommand(request), {
          abortSignal: signal,
        }),
        "ResourceNotFoundException",
      );
      changed();
      return null;
    },
  });
}

function requestOf(name: string, inputs: Inputs) {
  const sourceArn = stringOrNullIn(inputs, "sourceArn");
  const urlAuthType = stringOrNullIn(inputs, "urlAuthType");
  return {
    FunctionName: name,
    Action: stringIn(inputs, "action"),
    Principal: stringIn(inputs, "principal"),
    ...(sourceArn === null ? {} : { SourceArn: sourceArn }),
    ...(urlAuthType === "NONE" ? { FunctionUrlAuthType: "NONE" as const } : {}),
    ...(inputs["viaUrl"] === true ? { InvokedViaFunctionUrl: true } : {}),
  };
}

/** The same error says that a change of the function is under way. */
function isTaken(error: unknown): boolean {
  return hasName(error, "ResourceConflictException") && /already exists/i.test(String(error));
}

interface PermissionPlace {
  readonly name: string;
  readonly sid: string;
}

function placeFor(context: HandlerContext): PermissionPlace | null {
  const name = dependencyOutput(context, AWS_TYPES.function, "name");
  return name === null ? null : { name, sid: context.physicalName };
}

function splitId(id: string): PermissionPlace | null {
  const at = id.indexOf("/");
  return at < 0 ? null : { name: id.slice(0, at), sid: id.slice(at + 1) };
}

function statementIds(policy: string | undefined): readonly unknown[] {
  if (policy === undefined) return [];
  const { Statement } = JSON.parse(policy) as { Statement?: readonly { Sid?: string }[] };
  return (Statement ?? []).map(({ Sid }) => Sid);
}
