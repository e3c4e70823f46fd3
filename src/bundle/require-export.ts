import { closest } from "fastest-levenshtein";
import type { FunctionSpec } from "../components/node.ts";
import { fail } from "../model/diagnostic.ts";

/**
 * Checks without running anything that the entry exports what the handler names.
 *
 * @throws DiagnosticError `HANDLER_EXPORT_MISSING` (exit 2)
 */
export function requireExport(
  spec: FunctionSpec,
  entry: string,
  exportName: string,
  built: { readonly exports: readonly string[]; readonly exportsOpen: boolean },
): void {
  if (built.exports.includes(exportName) || built.exportsOpen) return;
  const names = [...built.exports].sort();
  const shown = names.slice(0, 8).join(", ") + (names.length > 8 ? ", ..." : "");
  throw fail("HANDLER_EXPORT_MISSING", `${entry} exports no ${exportName}`, {
    why:
      names.length === 0
        ? `Handler ${JSON.stringify(spec.handler)} needs it, and the file exports nothing.`
        : `Handler ${JSON.stringify(spec.handler)} needs it; the file exports ${shown}.`,
    hint:
      names.length === 0
        ? `Write "export" in front of the function ${exportName}.`
        : `Did you mean ${closest(exportName, names)}?`,
    ...(spec.source && { source: spec.source }),
  });
}
