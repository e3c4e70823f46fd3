import type { ResourceState } from "../../model/resource.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { ShownStage } from "../../operations/show-stage.ts";
import { safeLine } from "./safe-text.ts";
import { timeText } from "./stage-table.ts";
import type { Style } from "./style.ts";
import { tableText } from "./table.ts";

/** What `state show` tells: facts about the stage, then its resources. */
export function stageText({ snapshot, holder }: ShownStage, columns: number, style: Style): string {
  const facts = factsOf(snapshot);
  if (holder !== null) {
    const { owner, command, since } = holder;
    facts.push([
      "Held by",
      `${safeLine(owner.who)} (${safeLine(command)}) since ${timeText(since)}`,
    ]);
  }
  const width = Math.max(...facts.map(([name]) => name.length));
  const head = facts
    .map(([name, value]) => `${style.dim(name.padEnd(width))}  ${value}\n`)
    .join("");
  return snapshot.resources.length === 0
    ? `${head}\nNo resources\n`
    : `${head}\n${resourceTable(snapshot.resources, columns, style)}`;
}

function factsOf(snapshot: Snapshot): [name: string, value: string][] {
  const { app, stage, serial, updatedAt, facts, openIntents } = snapshot;
  const rows: [string, string][] = [
    ["App", safeLine(app)],
    ["Stage", safeLine(stage)],
    ["Serial", String(serial)],
    ["Updated", updatedAt === null ? "never" : timeText(updatedAt)],
  ];
  if (facts !== null) {
    const { cloud, account, region } = facts.identity;
    rows.push(["Cloud", safeLine(`${cloud}, account ${account}, region ${region}`)]);
    rows.push(["Removal", facts.removal], ["Protected", facts.protect ? "yes" : "no"]);
  }
  if (openIntents.length > 0) {
    rows.push(["Interrupted", `${openIntents.length} operations, settled by the next command`]);
  }
  return rows;
}

function resourceTable(resources: readonly ResourceState[], columns: number, style: Style): string {
  const rows = resources.map((state) => [
    safeLine(state.component),
    safeLine(state.type),
    safeLine(state.name),
    state.generation > 1 ? `${state.status} (generation ${state.generation})` : state.status,
    safeLine(state.id),
  ]);
  const titles = [
    { title: "Component", minWidth: 8 },
    { title: "Type", minWidth: 8 },
    { title: "Name", minWidth: 10 },
    { title: "Status" },
    { title: "Id", minWidth: 12 },
  ];
  return tableText(titles, rows, columns, style);
}
