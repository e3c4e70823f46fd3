import type { HandlerResult, Handlers, ResourceHandler } from "../engine/handler.ts";
import type { SimulatedCloud } from "./simulated-cloud.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { SIMULATED_TYPES, type SimulatedType, windowMs } from "./simulated-types.ts";

const THROTTLED: HandlerResult = { kind: "retry", reason: "throttled", afterMs: 200 };

/** The handlers of the simulated cloud, as one process calls them. */
export function simulatedHandlers(cloud: SimulatedCloud, process: SimulatedProcess): Handlers {
  return new Map(
    Object.values(SIMULATED_TYPES).map((type) => [type.type, handlerFor(type, cloud, process)]),
  );
}

function handlerFor(
  type: SimulatedType,
  cloud: SimulatedCloud,
  process: SimulatedProcess,
): ResourceHandler {
  const call = <Result extends HandlerResult>(
    kind: "read" | "create" | "update" | "delete",
    urn: string,
    apply: () => Result | HandlerResult,
  ): Promise<Result | HandlerResult> => process.cloudCall(kind, urn, apply, THROTTLED);
  return {
    type: type.type,
    recovery: type.recovery,
    data: type.data,
    naming: { maxLength: 40, lowerCase: false },
    consistencyWindowMs: windowMs(type),
    stableOutputs: type.stableOutputs,
    replaces: (changed) => changed.filter((key) => key === "kind"),
    ...(type.isPredictable
      ? { predict: (name: string) => ({ id: name, arn: `arn:${name}` }) }
      : {}),
    read: (context, id) => call("read", context.urn, () => cloud.read(type, context, id)),
    create: (context, inputs) =>
      call("create", context.urn, () => cloud.create(type, context, inputs)),
    update: (context, id, inputs) =>
      call("update", context.urn, () => cloud.update(context, id, inputs)),
    delete: (context, id) => call("delete", context.urn, () => cloud.delete(context, id)),
  };
}
