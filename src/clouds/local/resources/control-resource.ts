import type {
  HandlerContext,
  HandlerResult,
  Inputs,
  OwnershipTags,
  ResourceHandler,
} from "../../../engine/handler.ts";
import type { Json } from "../../../model/json.ts";
import { stageKey } from "../../../model/stage-key.ts";
import {
  type ControlClient,
  ControlRefusal,
  problemOf,
  type ResourceKey,
} from "../client/control-client.ts";
import type { ResourceAnswer } from "../control-api.ts";

/** What the handlers work with. */
export interface ResourceAccess {
  readonly client: ControlClient;
  /** Makes the server have the code of a bundle that this command has built, by its hash. */
  readonly sendCode: (stageKey: string, hash: string) => Promise<void>;
}

/** What differs from type to type. */
export type ControlResourceType = Pick<ResourceHandler, "type" | "data" | "naming"> &
  Partial<Pick<ResourceHandler, "replaces" | "predict" | "stableOutputs" | "secretOutputs">> & {
    /** Done before each put, and again when the server asks for code. */
    readonly prepare?: (stageKey: string, inputs: Inputs) => Promise<void>;
  };

/**
 * The handler of a type of the local cloud, in terms of the control API, where create and update
 * are one put.
 */
export function controlResource(
  type: ControlResourceType,
  access: ResourceAccess,
): ResourceHandler {
  const put = (context: HandlerContext, inputs: Inputs) =>
    putResource(type, access, context, inputs);
  return {
    type: type.type,
    recovery: "idempotent",
    data: type.data,
    naming: type.naming,
    consistencyWindowMs: 0,
    replaces: type.replaces ?? (() => []),
    stableOutputs: type.stableOutputs ?? [],
    secretOutputs: type.secretOutputs ?? [],
    ...(type.predict === undefined ? {} : { predict: type.predict }),
    read: async (context, id) => {
      const found = await find(type.type, access, context, id);
      if (found === null) return { kind: "gone" };
      return belongs(found, context.tags)
        ? { ...doneWith(found), inputs: inputsOf(found) }
        : foreign(found);
    },
    create: put,
    update: (context, _, inputs) => put(context, inputs),
    delete: async (context, id) => {
      const found = await find(type.type, access, context, id);
      if (found === null) {
        await deleteResource(type.type, access, context, id);
        return { kind: "gone" };
      }
      if (!belongs(found, context.tags)) return foreign(found);
      await deleteResource(type.type, access, context, id);
      return { kind: "gone" };
    },
  };
}

async function putResource(
  type: ControlResourceType,
  access: ResourceAccess,
  context: HandlerContext,
  inputs: Inputs,
): Promise<HandlerResult> {
  const { "scrim:app": app, "scrim:stage": stage } = context.tags;
  const key = stageKey(app, stage);
  const name = keyOf(type.type, context, context.physicalName);
  const request = { app, stage, spec: inputs, tags: { ...context.tags }, token: context.token };
  try {
    await type.prepare?.(key, inputs);
    return doneWith(await access.client.put(key, name, request));
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    if (error.refusal.code === "LOCAL_RESOURCE_FOREIGN") {
      return foreignTo(app, stage, lineageIn(error.refusal.detail));
    }
    if (error.refusal.code === "LOCAL_CODE_MISSING") {
      return { kind: "retry", reason: "its code was swept and is uploaded again", afterMs: 0 };
    }
    throw problemOf(error);
  }
}

async function find(
  type: string,
  access: ResourceAccess,
  context: HandlerContext,
  id: string | null,
): Promise<ResourceAnswer | null> {
  try {
    const key = keyOf(type, context, id ?? context.physicalName);
    return await access.client.get(stageOf(context), key);
  } catch (error) {
    throw problemOf(error);
  }
}

async function deleteResource(
  type: string,
  access: ResourceAccess,
  context: HandlerContext,
  id: string,
): Promise<void> {
  try {
    await access.client.delete(stageOf(context), keyOf(type, context, id));
  } catch (error) {
    throw problemOf(error);
  }
}

function stageOf({ tags }: HandlerContext): string {
  return stageKey(tags["scrim:app"], tags["scrim:stage"]);
}

function keyOf(type: string, context: HandlerContext, name: string): ResourceKey {
  const { tags, epoch, signal } = context;
  if (epoch === undefined) return { type, name, signal };
  return { type, name, signal, epoch: `${tags["scrim:lineage"]}.${epoch}` };
}

function belongs(found: ResourceAnswer, tags: OwnershipTags): boolean {
  return Object.entries(tags).every(([name, value]) => found.tags[name] === value);
}

function doneWith(found: ResourceAnswer): HandlerResult & { readonly kind: "done" } {
  return { kind: "done", id: found.id, outputs: found.outputs };
}

/**
 * Without what the server keeps sealed. A problem stands among them, so that a refresh shows it as
 * drift.
 */
function inputsOf(found: ResourceAnswer): Inputs {
  return found.problem === undefined ? found.spec : { ...found.spec, problem: found.problem };
}

function foreign(found: ResourceAnswer): HandlerResult {
  const { "scrim:app": app, "scrim:stage": stage, "scrim:lineage": lineage } = found.tags;
  return foreignTo(String(app), String(stage), String(lineage));
}

/** The server tells whose the resource is. */
function lineageIn(detail: Json | undefined): string {
  const isTold = typeof detail === "object" && detail !== null && "owner" in detail;
  return isTold ? String(detail.owner) : "unknown";
}

function foreignTo(app: string, stage: string, lineage: string): HandlerResult {
  return { kind: "foreign", owner: `app ${app}, stage ${stage}, lineage ${lineage}` };
}
