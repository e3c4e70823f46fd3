import { fail } from "../model/diagnostic.ts";
import type { Handlers, ResourceHandler } from "./handler.ts";

/** @throws DiagnosticError `TYPE_UNKNOWN` (exit 2) when this version knows no such type for the stage's cloud */
export function handlerOf(handlers: Handlers, type: string): ResourceHandler {
  const handler = handlers.get(type);
  if (handler !== undefined) return handler;
  throw fail("TYPE_UNKNOWN", `This version knows no resource type ${type}`, {
    why: "The stage was deployed by another version, or to another cloud than the config names.",
    hint: "Use the version that deployed the stage; scrim state history tells which it was.",
  });
}
