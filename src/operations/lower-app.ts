import type { Bundle } from "../bundle/bundle.ts";
import type { Cloud, Lowered } from "../clouds/cloud.ts";
import { dependencyOrder } from "../components/dependency-order.ts";
import type {
  ComponentNode,
  ComponentRef,
  EvaluatedApp,
  FunctionSpec,
} from "../components/node.ts";
import { functionsOf, substitute, substituteNode } from "../components/resolve-refs.ts";
import { fail } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { ResourceGoal } from "../model/resource.ts";
import { type Urn, urnOf } from "../model/urn.ts";
import { Ref, Sensitive, type Value } from "../model/value.ts";

export interface LoweringRequest {
  readonly app: EvaluatedApp;
  readonly stage: string;
  readonly dev: boolean;
  readonly cloud: Cloud;
  /** Value of every secret that the app declares. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly bundles: ReadonlyMap<FunctionSpec, Bundle>;
  /** See `LoweringContext.open`. */
  readonly open: (value: Json) => Json;
}

export interface LoweredApp {
  readonly goals: readonly ResourceGoal[];
  /** What `run()` returned, in terms of resources. */
  readonly outputs: Readonly<Record<string, Value>>;
}

/**
 * Turns what a config evaluated to into resources of one cloud. Pure.
 *
 * @throws DiagnosticError (exit 2) where the cloud cannot do what a component asks
 */
export function lowerApp(request: LoweringRequest): LoweredApp {
  const byName = new Map(request.app.nodes.map((node) => [node.name, node]));
  const known = new Map<string, Outputs>();
  const lookup = (ref: ComponentRef): Value => {
    const node = byName.get(ref.component);
    const outputs = known.get(ref.component) ?? (node && outlineOf(request, node));
    if (node !== undefined && outputs !== undefined) known.set(node.name, outputs);
    return outputOf(outputs, ref);
  };
  const goals: ResourceGoal[] = [];
  const shared = new Map<Urn, ResourceGoal>();
  for (const node of dependencyOrder(request.app.nodes)) {
    const lowered = lowerNode(request, node, lookup);
    goals.push(...lowered.goals);
    for (const goal of lowered.shared ?? []) shared.set(goal.urn, goal);
    known.set(node.name, lowered.outputs);
  }
  const appOutputs = Object.entries(request.app.outputs).map(
    ([name, value]) => [name, substitute(value, lookup)] as const,
  );
  return { goals: [...shared.values(), ...goals], outputs: Object.fromEntries(appOutputs) };
}

type Outputs = Lowered["outputs"];

/**
 * The outputs of a component in a circle before it is lowered. They name its resources, so what its
 * inputs will be makes no difference to them.
 */
function outlineOf(request: LoweringRequest, node: ComponentNode): Outputs {
  return lowerNode(request, node, (ref) => new Ref(urnOf("outline", ref.component), ref.output))
    .outputs;
}

function lowerNode(
  request: LoweringRequest,
  node: ComponentNode,
  lookup: (ref: ComponentRef) => Value,
): Lowered {
  const copy = substituteNode(node, lookup);
  if (copy.kind === "Secret") {
    const value = request.secrets.get(copy.name);
    if (value === undefined) throw new Error(`secret ${copy.name} was not resolved`);
    return { goals: [], outputs: { value: new Sensitive(value) } };
  }
  if (copy.kind === "Linkable")
    return { goals: [], outputs: copy.properties as Readonly<Record<string, Value>> };
  // Bundles are known by the functions of the original, which stand in the same order in the copy.
  const originals = functionsOf(node);
  const bundles = new Map(
    functionsOf(copy).map((spec, index) => [spec, bundleOf(request, originals[index])]),
  );
  return request.cloud.lower(copy, {
    app: request.app.name,
    stage: request.stage,
    dev: request.dev,
    open: request.open,
    bundle: (spec) => found(bundles.get(spec), spec),
  });
}

function outputOf(outputs: Outputs | undefined, ref: ComponentRef): Value {
  const value = outputs?.[ref.output];
  if (value !== undefined) return value;
  throw fail("OUTPUT_UNKNOWN", `${ref.component} has no output ${ref.output}`, {
    why: "The component does not have this output with the options it is given.",
    hint: "For the url of a function, set url: true.",
  });
}

function bundleOf(request: LoweringRequest, spec: FunctionSpec | undefined): Bundle | undefined {
  return spec === undefined ? undefined : request.bundles.get(spec);
}

function found(bundle: Bundle | undefined, spec: FunctionSpec): Bundle {
  if (bundle === undefined) throw new Error(`function ${spec.handler} was not bundled`);
  return bundle;
}
