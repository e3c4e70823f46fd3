// Loaded into the command line with --import. Numbers every moment at which something durable is about to happen or has
// just happened, and signals a process at one of them: by default kills its own, without a chance to clean up.
import childProcess from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { isMainThread } from "node:worker_threads";

const { appendFileSync, readFileSync, writeSync } = fs;
/** A number from 1, or how the label of the moment begins; "" never signals. */
const wanted = process.env.SCRIM_TEST_KILL_AT ?? "";
const signal = process.env.SCRIM_TEST_KILL_SIGNAL ?? "SIGKILL";
/** "server": the background server of the home, if there is one, and not this process. */
const whom = process.env.SCRIM_TEST_KILL_WHOM ?? "self";
/** Gets a line for each moment. */
const trace = process.env.SCRIM_TEST_KILL_TRACE ?? "";
let count = 0;
let isDone = wanted === "";

function moment(label) {
  count += 1;
  if (trace !== "") appendFileSync(trace, `${label}\n`);
  if (isDone || (String(count) !== wanted && !label.startsWith(wanted))) return;
  isDone = true;
  writeSync(2, `${signal} at ${count}: ${label}\n`);
  if (whom === "server") {
    killServer();
    return;
  }
  process.kill(process.pid, signal);
  // The signal comes within a moment; nothing may be done until then.
  while (signal === "SIGKILL");
}

function killServer() {
  const file = join(process.env.SCRIM_HOME ?? "", "local/server.json");
  try {
    process.kill(JSON.parse(readFileSync(file, "utf8")).pid, signal);
  } catch {
    // It has not started yet, or has left.
  }
}

function around(object, name, labelOf) {
  const original = object[name];
  object[name] = (...args) => {
    const label = labelOf(...args);
    moment(`before ${label}`);
    const result = original(...args);
    moment(`after ${label}`);
    return result;
  };
}

const place = (path) => `${basename(dirname(path))}/${basename(path)}`;

function watchRequests() {
  const original = http.request;
  http.request = (options, ...rest) => {
    const label = `${options.method} ${options.path}`;
    moment(`before ${label}`);
    const request = original(options, ...rest);
    request.once("finish", () => moment(`sent ${label}`));
    request.once("response", (response) => response.once("end", () => moment(`answered ${label}`)));
    return request;
  };
}

if (isMainThread) {
  around(fs, "linkSync", (_, path) => `link ${place(path)}`);
  around(fs, "renameSync", (_, path) => `rename ${place(path)}`);
  around(childProcess, "spawn", (program) => `start of ${basename(program)}`);
  watchRequests();
  syncBuiltinESMExports();
}
