import { type DiagnosticError, EXIT, fail } from "../../model/diagnostic.ts";
import type { Ref } from "../../model/value.ts";

/** The error for a ref to an output that its resource does not have. */
export function outputUnknown(ref: Ref, owner: string): DiagnosticError {
  return fail("OUTPUT_UNKNOWN", `The output ${ref.output} of ${ref.urn} is missing for ${owner}`, {
    why: "That resource exists and has no such output; a later version may have introduced it.",
    hint: "Run scrim refresh to read its outputs again, then deploy.",
    exit: EXIT.failed,
  });
}

/** The error for a ref that only a callback's result holds, to a resource that need not be there yet. */
export function referenceUndeclared(ref: Ref, owner: string): DiagnosticError {
  return fail("REFERENCE_UNDECLARED", `A callback in the inputs of ${owner} refers to ${ref.urn}`, {
    why: "What a callback returns cannot refer to a resource that the callback was not given.",
    hint: "Combine the outputs with $interpolate, or list the resource in dependsOn.",
  });
}
