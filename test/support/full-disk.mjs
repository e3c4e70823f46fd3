// Loaded into the command line with --import: after a number of writes below a folder, its disk is full.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const folder = process.env.SCRIM_TEST_FULL_FOLDER ?? "";
let left = Number(process.env.SCRIM_TEST_FULL_AFTER ?? "Infinity");
const files = new Set();
const { openSync, writeSync } = fs;

fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest);
  if (String(path).startsWith(folder)) files.add(file);
  else files.delete(file);
  return file;
};

fs.writeSync = (file, ...rest) => {
  if (files.has(file)) {
    left -= 1;
    if (left < 0) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  }
  return writeSync(file, ...rest);
};

syncBuiltinESMExports();
