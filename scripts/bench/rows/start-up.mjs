import { paired } from "../measure/paired.mjs";
import { runProcess } from "../measure/run-process.mjs";
import { makeProject } from "../project.mjs";
import { atMost } from "../row.mjs";

const PAIRS = 15;

/** How long a command takes that has nearly nothing to do. */
export async function startUpRows() {
  const empty = makeProject({});
  const rows = [];
  try {
    for (const args of [["--help"], ["state", "list"]]) {
      const { ratio } = await paired(
        PAIRS,
        () => empty.scrim(...args),
        () => runProcess(["-e", "0"]),
        (run) => run.wallMs,
      );
      rows.push(atMost(`scrim ${args.join(" ")}, wall`, ratio, "x node -e 0", 1.3));
    }
  } finally {
    await empty.dispose();
  }
  return rows;
}
