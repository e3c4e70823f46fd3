import { type Diagnostic, EXIT } from "../../model/diagnostic.ts";
import type { Inputs } from "../handler.ts";
import { type Driven, drive, type Failed, notFound } from "./drive.ts";
import { observe } from "./observe.ts";
import type { Work } from "./work.ts";

/**
 * The one way by which a resource comes to be. Where a create may have worked without our knowing, it looks before it
 * creates again; what it finds is brought up to date instead.
 */
export async function makeResource(work: Work, inputs: Inputs): Promise<Driven> {
  const { handler } = work;
  let foundId: string | null = null;
  const look = async (windowMs: number): Promise<Failed | null> => {
    const observed = await observe(work, { id: null, until: "there", windowMs });
    if (observed.kind === "absent") foundId = null;
    else if (observed.kind !== "found") return notFound(work, observed);
    else if (handler.recovery === "secret-once") return secretLost(work, observed.id);
    else foundId = observed.id;
    return null;
  };
  if (handler.recovery === "server-named") {
    // Nothing in the cloud keeps a second create from making a second thing, so none is sent blindly.
    const failed = await look(0);
    if (failed !== null) return failed;
  }
  return drive(work, {
    id: null,
    until: "there",
    afterLost: () => look(handler.consistencyWindowMs),
    invoke: (context) =>
      foundId === null ? handler.create(context, inputs) : handler.update(context, foundId, inputs),
  });
}

function secretLost(work: Work, id: string): Failed {
  const diagnostic: Diagnostic = {
    severity: "error",
    code: "SECRET_ANSWER_LOST",
    message: `${work.about.urn} was made, but the answer with its secret was lost`,
    why: "The cloud tells that secret only once.",
    hint: "Run the command again: it deletes this one and makes another.",
    exit: EXIT.failed,
  };
  return { kind: "failed", leaves: "broken", id, diagnostic };
}
