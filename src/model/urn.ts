/** Names one resource within its stage: `<type>::<name>`, for example `local:bucket::Uploads`. */
export type Urn = string & { readonly __brand: "Urn" };

/** Joins a resource type and a logical name. The type never contains `::`; the name may contain anything. */
export function urnOf(type: string, name: string): Urn {
  return `${type}::${name}` as Urn;
}

/** The type in front of the first `::` and the logical name behind it. */
export function parseUrn(urn: Urn): { readonly type: string; readonly name: string } {
  const at = urn.indexOf("::");
  if (at < 1) throw new Error(`not a urn: ${JSON.stringify(urn)}`);
  return { type: urn.slice(0, at), name: urn.slice(at + 2) };
}
