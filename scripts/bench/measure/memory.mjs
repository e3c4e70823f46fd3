import { readdirSync, readFileSync } from "node:fs";

/** Resident memory, in MB, of a process and of everything that it started; Linux only. */
export function memoryOf(pid) {
  const children = new Map();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const status = statusOf(name);
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = (at) => [at, ...(children.get(at) ?? []).flatMap(family)];
  const kilobytes = family(pid).map((at) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(at))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    // It has ended.
    return "";
  }
}
