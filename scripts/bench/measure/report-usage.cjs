// Loaded with `--require` into every process that is measured, and into its floor: writes what the process has used to
// file descriptor 3 when it ends. Node cannot tell the usage of a child from outside.
const { writeSync } = require("node:fs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  try {
    writeSync(
      3,
      JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1024 }),
    );
  } catch {
    // Started without the descriptor: a grandchild that inherited the option.
  }
});
