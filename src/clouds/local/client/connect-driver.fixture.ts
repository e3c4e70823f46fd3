import { systemClock } from "../../../system/clock.ts";
import { connect } from "./connect.ts";

/** Connects as a command does, for tests that end it at a bad moment: `<home> <server entry>`. */
const [, , homeFolder = "", serverEntry = ""] = process.argv;
const { signal } = new AbortController();
await connect({
  ...{ homeFolder, serverEntry, signal, clock: systemClock, version: "1.0.0" },
  env: process.env,
});
