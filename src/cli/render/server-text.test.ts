import { expect, test } from "vitest";
import type { LocalServer } from "../../operations/local-server.ts";
import { serverDocument, serverText } from "./server-text.ts";
import { PLAIN } from "./style.ts";

const server: LocalServer = {
  home: "/home/me/scrim",
  status: {
    pid: 7,
    version: "1.0.0",
    protocol: 1,
    homeId: "h",
    startedAt: "2026-01-01T00:00:00.000Z",
    dataPort: null,
    stages: [
      {
        stageKey: "a-shop.s-dev",
        app: "shop",
        stage: "dev",
        resources: 3,
        runner: null,
        apis: [
          { id: "i", name: "Api", port: 2000, state: "asleep" },
          { id: "j", name: "Hook", port: 2001, state: "unavailable", reason: "the port is taken" },
        ],
        problems: ["a file is damaged"],
      },
      { stageKey: "a-shop.s-x", app: "shop", stage: "x", resources: 1, runner: null, apis: [] },
    ],
  },
};

test("what runs and what it serves is told as a table", () => {
  expect(serverText(server, Number.POSITIVE_INFINITY, PLAIN).split("\n")).toEqual([
    "The local cloud runs as process 7 since 2026-01-01 00:00:00 UTC",
    "Home     /home/me/scrim",
    "Version  1.0.0",
    "",
    "App   Stage  API   Address                State",
    "shop  dev    Api   http://127.0.0.1:2000  asleep",
    "shop  dev    Hook  http://127.0.0.1:2001  unavailable: the port is taken",
    "shop  x",
    "",
    "! shop/dev: a file is damaged",
    "",
  ]);
});

test("no server is told apart from a server without stages", () => {
  expect(serverText({ home: "/h", status: null }, 80, PLAIN)).toContain("is not running");
  const idle = { ...server, status: server.status && { ...server.status, stages: [] } };
  expect(serverText(idle, 80, PLAIN)).toContain("No stages");
});

test("programs get addresses and reasons", () => {
  expect(serverDocument({ home: "/h", status: null })).toEqual({ home: "/h", running: false });
  expect(serverDocument(server)).toMatchObject({
    running: true,
    server: { pid: 7, dataPort: null },
    stages: [
      {
        runnerPid: null,
        apis: [
          { name: "Api", url: "http://127.0.0.1:2000", state: "asleep" },
          { name: "Hook", reason: "the port is taken" },
        ],
      },
      { apis: [], problems: [] },
    ],
  });
});
