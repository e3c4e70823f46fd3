import { ComponentComputed, ComponentRef, type NodeValue } from "../../components/node.ts";
import { Computed, Ref, Sensitive, type Value } from "../../model/value.ts";

/**
 * A value of a node as an input of a resource. Outputs of components were replaced before lowering;
 * one that is left is a bug of ours.
 */
export function plainValue(value: NodeValue): Value {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof ComponentRef || value instanceof ComponentComputed) {
    throw new Error("an output of a component was not resolved before lowering");
  }
  if (value instanceof Ref || value instanceof Computed || value instanceof Sensitive) return value;
  if (Array.isArray(value)) return value.map((item: NodeValue) => plainValue(item));
  return plainObject(value as Readonly<Record<string, NodeValue>>);
}

/** The same for an object. */
export function plainObject(object: Readonly<Record<string, NodeValue>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [key, plainValue(member)]),
  );
}
