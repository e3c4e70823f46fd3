import type { LocalServer, ServerStatus } from "../../operations/local-server.ts";
import { safeLine } from "./safe-text.ts";
import { timeText } from "./stage-table.ts";
import type { Style } from "./style.ts";
import { tableText } from "./table.ts";

/** The local cloud's server and what it serves. */
export function serverText(server: LocalServer, columns: number, style: Style): string {
  const { home, status } = server;
  if (status === null) {
    return `The local cloud is not running\n${style.dim("Home")}  ${safeLine(home)}\n`;
  }
  const head = [
    `The local cloud runs as process ${status.pid} since ${timeText(status.startedAt)}`,
    `${style.dim("Home")}     ${safeLine(home)}`,
    `${style.dim("Version")}  ${safeLine(status.version)}`,
  ].join("\n");
  if (status.stages.length === 0) return `${head}\n\nNo stages\n`;
  const titles = [
    { title: "App", minWidth: 8 },
    { title: "Stage", minWidth: 8 },
    { title: "API", minWidth: 8 },
    { title: "Address", minWidth: 22 },
    { title: "State", minWidth: 10 },
  ];
  return `${head}\n\n${tableText(titles, rowsOf(status), columns, style)}${problemsOf(status, style)}`;
}

/** The same for programs. */
export function serverDocument({ home, status }: LocalServer): Readonly<Record<string, unknown>> {
  if (status === null) return { home, running: false };
  const { pid, version, startedAt, dataPort, stages } = status;
  return {
    home,
    running: true,
    server: { pid, version, startedAt, dataPort },
    stages: stages.map(({ app, stage, resources, runner, apis, problems }) => ({
      app,
      stage,
      resources,
      runnerPid: runner?.pid ?? null,
      apis: apis.map(({ name, port, state, reason }) => ({
        name,
        url: urlOf(port),
        state,
        ...(reason !== undefined && { reason }),
      })),
      problems: problems ?? [],
    })),
  };
}

function rowsOf({ stages }: ServerStatus): string[][] {
  return stages.flatMap(({ app, stage, apis }): string[][] => {
    if (apis.length === 0) return [[safeLine(app), safeLine(stage), "", "", ""]];
    return apis.map(({ name, port, state, reason }) => [
      safeLine(app),
      safeLine(stage),
      safeLine(name),
      urlOf(port),
      reason === undefined ? state : `${state}: ${safeLine(reason)}`,
    ]);
  });
}

function problemsOf({ stages }: ServerStatus, style: Style): string {
  const lines = stages.flatMap(({ app, stage, problems = [] }) =>
    problems.map((problem) => `${style.yellow("!")} ${safeLine(`${app}/${stage}: ${problem}`)}\n`),
  );
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
