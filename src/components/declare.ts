import type { SourceLocation } from "../model/diagnostic.ts";
import { type Callee, CallSite } from "./call-site.ts";
import { builderFor, currentLocator } from "./evaluation.ts";
import type { ComponentNode } from "./node.ts";
import { componentName } from "./options/component-name.ts";
import { Place } from "./options/place.ts";

/** A component whose name is checked and reserved and whose options are about to be parsed. */
export interface Declaration {
  readonly name: string;
  /** Where its options stand, for messages. */
  readonly at: Place;
  location(): SourceLocation | null;
  /** Hands over how the finished component is described; called after `run()`. */
  complete(node: () => ComponentNode): void;
}

/**
 * The first thing every component's constructor does.
 *
 * @param type how users write it, `scrim.aws.Bucket`
 * @param callee `new.target`, so that the place is that of the `new`
 * @throws DiagnosticError `COMPONENT_*` (exit 2)
 */
export function declareComponent(type: string, name: unknown, callee: Callee): Declaration {
  const builder = builderFor(type, callee);
  const site = new CallSite(currentLocator(), callee);
  const checked = componentName(name, new Place(`new ${type}`, site));
  return {
    name: checked,
    at: new Place(`${type} "${checked}"`, site),
    location: () => site.location(),
    complete: builder.reserve(type, checked, site),
  };
}
