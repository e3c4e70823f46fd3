import type { ResourceState } from "../model/resource.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Urn } from "../model/urn.ts";
import type { OwnershipTags } from "./handler.ts";
import { tokenOf } from "./token.ts";

/** Which stage of which app, by the identity it got at its first deploy. */
export type StageIdentity = Pick<Snapshot, "app" | "stage" | "lineage">;

/** What of a resource its tags and token are made of: a generation under the urn it was created as. */
export type Identity = Pick<ResourceState, "urn" | "generation" | "bornAs">;

/** The tags that say a resource is ours; an alias that renames the record later does not change them. */
export function ownershipTags(stage: StageIdentity, resource: Identity): OwnershipTags {
  return {
    "scrim:app": stage.app,
    "scrim:stage": stage.stage,
    "scrim:lineage": stage.lineage,
    "scrim:urn": birthUrn(resource),
    "scrim:generation": String(resource.generation),
  };
}

/** The token by which a cloud recognises a repeat of the same mutation. */
export function tokenFor(stage: StageIdentity, resource: Identity): string {
  const { app, stage: name, lineage } = stage;
  return tokenOf({
    app,
    stage: name,
    lineage,
    urn: birthUrn(resource),
    generation: resource.generation,
  });
}

/** The urn that a resource was created and tagged under. */
export function birthUrn(resource: Pick<Identity, "urn" | "bornAs">): Urn {
  return resource.bornAs ?? resource.urn;
}
