import type { FunctionConfiguration } from "@aws-sdk/client-lambda";
import type { HandlerContext, Inputs, ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Changed, type Found, type Wait } from "../aws-resource.ts";
import { hasName, unless } from "../has-name.ts";
import { numberOrNullIn, objectIn, stringIn } from "../input-parsers.ts";
import { type Tags, tagsFor } from "../ownership.ts";
import { arnOf } from "../place.ts";
import { type FunctionCode, functionCode } from "./function-code.ts";
import { architectureIn, hasSettings, inputsOf, settingsOf } from "./function-settings.ts";

/** The zip of a bundle that this command has built, by its hash. */
export type ReadBundle = (hash: string) => Promise<Uint8Array>;

interface FunctionThing {
  readonly configuration: FunctionConfiguration;
  /** Reserved instances. */
  readonly concurrency: number | null;
}

const ABSENT = "ResourceNotFoundException";
/** Lambda takes a change within seconds; a function in a network of the user's may take minutes. */
const APPLYING: Omit<Wait, "reason"> = { afterMs: 500, lastsMs: 15 * 60_000 };

/**
 * `aws:function`: inputs bundle, handler, runtime, architecture, description, timeoutMs, memoryMb, role, logGroup,
 * concurrency, environment, links; outputs name, arn.
 */
export function functionHandler(clients: AwsClients, readBundle: ReadBundle): ResourceHandler {
  const outputsOf = (name: string) => ({
    name,
    arn: arnOf(clients, "lambda", `function:${name}`),
  });
  const codeOf = async ({ tags }: HandlerContext, inputs: Inputs, key?: string) =>
    functionCode(
      await readBundle(stringIn(inputs, "bundle")),
      objectIn(inputs, "links"),
      tags,
      key,
    );
  const foundOf = (
    name: string,
    tags: Tags,
    configuration: FunctionConfiguration,
    concurrency: number | null,
  ): Found<FunctionThing> => ({
    ...{ id: name, tags, outputs: outputsOf(name), pending: pendingOf(configuration) },
    broken: brokenOf(configuration),
    inputs: { ...inputsOf(configuration), concurrency },
    thing: { configuration, concurrency },
  });
  return awsResource<FunctionThing>({
    type: AWS_TYPES.function,
    recovery: "unique-name",
    data: false,
    naming: { maxLength: 64, lowerCase: false },
    consistencyWindowMs: 5_000,
    replaces: () => [],
    predict: outputsOf,
    find: async ({ physicalName, signal }, id) => {
      const { GetFunctionCommand } = await sdk();
      const name = id ?? physicalName;
      const answer = await unless(
        (await clients.lambda()).send(new GetFunctionCommand({ FunctionName: name }), {
          abortSignal: signal,
        }),
        ABSENT,
      );
      if (answer?.Configuration === undefined) return null;
      const reserved = answer.Concurrency?.ReservedConcurrentExecutions ?? null;
      return foundOf(name, answer.Tags ?? {}, answer.Configuration, reserved);
    },
    make: async (context, inputs) => {
      const { CreateFunctionCommand } = await sdk();
      const code = await codeOf(context, inputs);
      const tags = tagsFor(context.tags);
      const request = new CreateFunctionCommand({
        FunctionName: context.physicalName,
        ...settingsOf(inputs, code.key),
        Architectures: [architectureIn(inputs)],
        Code: { ZipFile: code.zip },
        LoggingConfig: { LogGroup: stringIn(inputs, "logGroup") },
        Tags: tags,
      });
      try {
        const made = await (await clients.lambda()).send(request, { abortSignal: context.signal });
        return foundOf(context.physicalName, tags, made, null);
      } catch (error) {
        const isTaken = /already exist/i.test(String(error));
        if (hasName(error, "ResourceConflictException") && isTaken) return null;
        throw error;
      }
    },
    converge: async (context, { id, thing }, inputs, changed) => {
      const key = keyOf(thing.configuration);
      const code = await codeOf(context, inputs, key);
      return (
        (await putSettings(clients, context, thing, inputs, code, changed)) ??
        (await putCode(clients, context, thing, inputs, code, changed)) ??
        (await putConcurrency(clients, context, id, thing, inputs, changed))
      );
    },
    erase: async ({ signal }, { id }, changed) => {
      const { DeleteFunctionCommand } = await sdk();
      await unless(
        (await clients.lambda()).send(new DeleteFunctionCommand({ FunctionName: id }), {
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
  return import("@aws-sdk/client-lambda");
}

/** Before the code: new code may need what is new in its environment. */
async function putSettings(
  clients: AwsClients,
  { physicalName, signal }: HandlerContext,
  { configuration }: FunctionThing,
  inputs: Inputs,
  { key }: FunctionCode,
  changed: Changed,
): Promise<Wait | null> {
  const settings = settingsOf(inputs, key);
  const hasFailed = configuration.LastUpdateStatus === "Failed";
  if (!hasFailed && hasSettings(configuration, settings)) return null;
  const { UpdateFunctionConfigurationCommand } = await sdk();
  const FunctionName = configuration.FunctionName ?? physicalName;
  await (await clients.lambda()).send(
    new UpdateFunctionConfigurationCommand({
      FunctionName,
      ...settings,
      LoggingConfig: { LogGroup: stringIn(inputs, "logGroup") },
    }),
    { abortSignal: signal },
  );
  changed();
  const why = hasFailed ? `: ${configuration.LastUpdateStatusReason ?? ""}` : "";
  return { reason: `its settings are being applied${why}`, ...APPLYING };
}

async function putCode(
  clients: AwsClients,
  { physicalName, signal }: HandlerContext,
  { configuration }: FunctionThing,
  inputs: Inputs,
  code: FunctionCode,
  changed: Changed,
): Promise<Wait | null> {
  const architecture = architectureIn(inputs);
  const isSame = (configuration.Architectures ?? ["x86_64"]).includes(architecture);
  if (isSame && configuration.CodeSha256 === code.sha256) return null;
  const { UpdateFunctionCodeCommand } = await sdk();
  await (await clients.lambda()).send(
    new UpdateFunctionCodeCommand({
      FunctionName: configuration.FunctionName ?? physicalName,
      ZipFile: code.zip,
      Architectures: [architecture],
    }),
    { abortSignal: signal },
  );
  changed();
  return { reason: "its code is being put in place", ...APPLYING };
}

async function putConcurrency(
  clients: AwsClients,
  { signal }: HandlerContext,
  FunctionName: string,
  thing: FunctionThing,
  inputs: Inputs,
  changed: Changed,
): Promise<null> {
  const wanted = numberOrNullIn(inputs, "concurrency");
  if (wanted === thing.concurrency) return null;
  const { DeleteFunctionConcurrencyCommand, PutFunctionConcurrencyCommand } = await sdk();
  const lambda = await clients.lambda();
  if (wanted === null) {
    await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }), {
      abortSignal: signal,
    });
  } else {
    const request = { FunctionName, ReservedConcurrentExecutions: wanted };
    await lambda.send(new PutFunctionConcurrencyCommand(request), { abortSignal: signal });
  }
  changed();
  return null;
}

/** The key that opens the links of the code that is there. */
function keyOf({ Environment }: FunctionConfiguration): string | undefined {
  return Environment?.Variables?.["SCRIM_KEY"];
}

function pendingOf({ State, LastUpdateStatus }: FunctionConfiguration): string | null {
  if (State === "Pending") return "its code is being prepared";
  return LastUpdateStatus === "InProgress" ? "a change of it is being applied" : null;
}

function brokenOf({ State, StateReason }: FunctionConfiguration): string | null {
  return State === "Failed" ? (StateReason ?? "AWS gives no reason.") : null;
}
