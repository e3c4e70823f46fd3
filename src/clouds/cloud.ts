import type { Bundle } from "../bundle/bundle.ts";
import type { ComponentNode, FunctionSpec } from "../components/node.ts";
import type { Limits } from "../engine/apply/limits.ts";
import type { Handlers } from "../engine/handler.ts";
import type { Json } from "../model/json.ts";
import type { ResourceGoal } from "../model/resource.ts";
import type { CloudIdentity } from "../model/snapshot.ts";
import type { Value } from "../model/value.ts";

/** What the tool needs of a cloud. Adding one is adding a folder and a line in clouds/registry.ts. */
export interface Cloud {
  readonly name: string;
  /** @throws DiagnosticError (exit 4) when there are no usable credentials */
  identity(signal: AbortSignal): Promise<CloudIdentity>;
  /**
   * Turns one component into resources. Pure. Component outputs in the node are already replaced by refs and values.
   *
   * @throws DiagnosticError (exit 2) when this cloud cannot do what the component asks, naming it
   */
  lower(node: ComponentNode, context: LoweringContext): Lowered;
  readonly handlers: Handlers;
  /** Where it can be worked faster, or must be worked slower, than other clouds. @default LIMITS of the engine */
  readonly limits?: Partial<Limits>;
  readonly logs: LogSource;
  /**
   * Sends code ahead of the update that is going to use it, to save time; without it the update sends it. `hash` as
   * in `Bundle`. A cloud for which this is no gain leaves it out.
   */
  sendCode?(app: string, stage: string, hash: string): Promise<void>;
  /**
   * Brings up what this stage needs to be reachable after a reboot; no change of any resource.
   *
   * @returns physical names of resources that cannot answer as recorded, such as an API whose port another program
   * has taken; a deploy puts them again
   */
  wake(app: string, stage: string): Promise<ReadonlySet<string>>;
  /** Told after a removal that left no resource: drops what belongs to the stage but is no resource, such as logs. */
  forgetStage(app: string, stage: string): Promise<void>;
  close(): Promise<void>;
}

export interface LoweringContext {
  readonly app: string;
  readonly stage: string;
  /** True in `scrim dev`. */
  readonly dev: boolean;
  /** The clear value of an output that its handler calls secret; every other value as it is. */
  open(value: Json): Json;
  /** The bundle made of this function, which operations built before lowering. */
  bundle(spec: FunctionSpec): Bundle;
}

export interface Lowered {
  readonly goals: readonly ResourceGoal[];
  /** Goals that other components return as well, such as a log group of the whole stage: of each urn one counts. */
  readonly shared?: readonly ResourceGoal[];
  /** The component's outputs, by the names that components/node.ts lists. */
  readonly outputs: Readonly<Record<string, Value>>;
}

export interface LogQuery {
  readonly app: string;
  readonly stage: string;
  /** Milliseconds since the epoch; null for all that is kept. */
  readonly sinceMs: number | null;
  /** Component or route names; empty for all. */
  readonly functions: readonly string[];
  readonly follow: boolean;
  /** Logical names of functions by their physical names, where a cloud's logs know only these. */
  readonly names?: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

export interface LogEntry {
  /** ISO 8601 with milliseconds. */
  readonly time: string;
  /** Logical name of the function, such as `Api/GET /notes`. */
  readonly function: string;
  readonly requestId: string;
  readonly level: "debug" | "info" | "warn" | "error" | "platform";
  readonly message: string;
}

export interface LogSource {
  /** Whether resources of this type write entries, under their logical name. */
  isFunction(type: string): boolean;
  read(query: LogQuery): AsyncIterable<LogEntry>;
}
