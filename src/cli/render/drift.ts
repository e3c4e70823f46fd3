import type { Drift } from "../../operations/refresh.ts";
import { safeLine } from "./safe-text.ts";
import type { Style } from "./style.ts";

/** What `refresh` found, one line for each resource that is not as it was recorded. */
export function driftText(drift: readonly Drift[], resources: number, style: Style): string {
  if (drift.length === 0) return `No drift, ${countOf(resources)} as recorded\n`;
  const lines = drift.map((each) => {
    const { name, type } = each.state;
    return `${markOf(each, style)} ${safeLine(name)} ${style.dim(safeLine(type))}  ${wordsOf(each)}`;
  });
  const count = `${countOf(drift.length)} differ${drift.length === 1 ? "s" : ""}`;
  return `${[...lines, `${count} from what was recorded; scrim deploy brings back what was changed`].join("\n")}\n`;
}

/** The same for programs. */
export function driftDocument(drift: Drift): Readonly<Record<string, unknown>> {
  const { urn, type, name, component } = drift.state;
  return {
    kind: drift.kind,
    urn,
    type,
    name,
    component,
    ...("keys" in drift && { keys: drift.keys }),
    ...("diagnostic" in drift && { diagnostic: drift.diagnostic }),
  };
}

function markOf({ kind }: Drift, style: Style): string {
  if (kind === "gone") return style.red("-");
  return kind === "changed" ? style.yellow("~") : style.red("!");
}

function wordsOf(drift: Drift): string {
  switch (drift.kind) {
    case "gone":
      return "is gone";
    case "changed":
      return drift.keys.length === 0
        ? "has other outputs"
        : `was changed: ${drift.keys.map(safeLine).join(", ")}`;
    case "foreign":
    case "unreadable":
      return safeLine(drift.diagnostic.message);
  }
}

function countOf(resources: number): string {
  return resources === 1 ? "1 resource" : `${resources} resources`;
}
