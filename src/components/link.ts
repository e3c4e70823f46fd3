import type { Link } from "./node.ts";
import { list, type Parse } from "./options/parse.ts";
import type { Place } from "./options/place.ts";

/** Whatever can stand in `link: [...]`. */
export interface Linkable {
  /** What a function that links it gets. */
  getLink(): Link;
}

const one: Parse<Link> = (value, at) => {
  if (isLinkable(value)) return value.getLink();
  throw linkProblem(value, at);
};

/** The option `link`: components whose properties and permissions a function gets. */
export const links: Parse<readonly Link[]> = (value, at) => unique(list(one)(value, at));

/** Joins links, the first of each name. */
export function unique(all: readonly Link[]): readonly Link[] {
  const byName = new Map<string, Link>();
  for (const link of all) if (!byName.has(link.name)) byName.set(link.name, link);
  return [...byName.values()];
}

function isLinkable(value: unknown): value is Linkable {
  return (
    typeof value === "object" &&
    value !== null &&
    "getLink" in value &&
    typeof value.getLink === "function"
  );
}

function linkProblem(value: unknown, at: Place): Error {
  const wanted = "a component, such as a bucket, a table or a secret";
  if (value === undefined) {
    return at.problem("LINK_INVALID", `${at} is undefined`, {
      why: "A link must be a component; an undefined one is usually used before it was created or imported in a circle.",
      hint: "Create the component first, and check the order of imports.",
    });
  }
  return at.invalid(value, wanted);
}
