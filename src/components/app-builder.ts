import { fail } from "../model/diagnostic.ts";
import type { CallSite } from "./call-site.ts";
import type { ComponentNode } from "./node.ts";

interface Registration {
  readonly name: string;
  /** `scrim.aws.Bucket` */
  readonly type: string;
  readonly site: CallSite;
  node: (() => ComponentNode) | null;
}

/** Collects the components that one run of the config creates. */
export class AppBuilder {
  readonly #byLowerName = new Map<string, Registration>();

  /**
   * Reserves a name; `node` is asked for after `run()`, when routes and subscribers are complete.
   *
   * @throws DiagnosticError `COMPONENT_NAME_TAKEN` (exit 2) for a name in use, regardless of case
   */
  reserve(type: string, name: string, site: CallSite): (node: () => ComponentNode) => void {
    const lower = name.toLowerCase();
    const other = this.#byLowerName.get(lower);
    if (other !== undefined) throw nameTaken(other, type, name, site);
    const registration: Registration = { name, type, site, node: null };
    this.#byLowerName.set(lower, registration);
    return (node) => {
      registration.node = node;
    };
  }

  /** Every component whose constructor succeeded, in the order they were created. */
  nodes(): readonly ComponentNode[] {
    return [...this.#byLowerName.values()].flatMap(({ node }) => (node === null ? [] : [node()]));
  }
}

function nameTaken(other: Registration, type: string, name: string, site: CallSite): Error {
  const source = site.location();
  const first = other.site.location();
  const where = first === null ? "" : ` (${first.file}:${first.line})`;
  const same = other.name === name;
  return fail(
    "COMPONENT_NAME_TAKEN",
    same
      ? `Two components are named "${name}": ${other.type} and ${type}`
      : `Two components are named alike: ${other.type} "${other.name}" and ${type} "${name}"`,
    {
      why: `Names are unique in the app regardless of case; the first one was taken${where}.`,
      hint: "Give one of them another name.",
      ...(source === null ? {} : { source }),
    },
  );
}
