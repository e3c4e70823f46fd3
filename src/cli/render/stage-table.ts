import type { StageSummary } from "../../home/home.ts";
import { safeLine } from "./safe-text.ts";
import type { Style } from "./style.ts";
import { tableText } from "./table.ts";

const STATUS: Readonly<Record<StageSummary["status"], string>> = {
  deployed: "deployed",
  failed: "last deploy failed",
  retained: "removed, data retained",
  removed: "removed",
  open: "in progress",
  "not deployed": "not deployed",
  corrupt: "unreadable",
};

/** What `state list` shows: each stage, when it was last updated, how many resources it has. */
export function stageTable(stages: readonly StageSummary[], columns: number, style: Style): string {
  if (stages.length === 0) return "No stages\n";
  const hasRegions = stages.some(({ region }) => region !== undefined);
  const rows = stages.map((stage) => [
    safeLine(stage.app),
    safeLine(stage.stage),
    ...(hasRegions ? [safeLine(stage.region ?? "")] : []),
    stage.updatedAt === null ? "never" : timeText(stage.updatedAt),
    stage.resources === null ? "?" : String(stage.resources),
    statusText(stage),
  ]);
  const titles = [
    { title: "App", minWidth: 8 },
    { title: "Stage", minWidth: 12 },
    ...(hasRegions ? [{ title: "Region", minWidth: 12 }] : []),
    { title: "Last updated", minWidth: 16 },
    { title: "Resources", align: "right" as const },
    { title: "Status", minWidth: 12 },
  ];
  return tableText(titles, rows, columns, style);
}

function statusText(stage: StageSummary): string {
  const parts = [STATUS[stage.status]];
  if (stage.retained !== null && stage.retained > 0) parts.push(`${stage.retained} retained`);
  if (stage.staleSecrets) parts.push("secrets changed since");
  if (stage.problem !== undefined) parts.push(safeLine(stage.problem));
  return parts.join(", ");
}

/** `2026-11-20 07:15:03 UTC`: sorts, and means the same to everybody. */
export function timeText(iso: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso);
  return match === null ? safeLine(iso) : `${match[1]} ${match[2]} UTC`;
}
