import type { HandlerContext } from "../../../engine/handler.ts";

/** A text among the outputs of the one thing of this type that a resource depends on; null when it is not known. */
export function dependencyOutput(
  { dependencies = [] }: Pick<HandlerContext, "dependencies">,
  type: string,
  output: string,
): string | null {
  const found = dependencies.find(({ urn }) => urn.startsWith(`${type}::`));
  const value = found?.outputs[output];
  return typeof value === "string" ? value : null;
}
