// Runs for hours what `npm test` samples: random stages in simulation, and random changes of tokens. Ends at the first
// failure, whose seed replays it.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const rounds = Number(process.argv[2] ?? 100);
const SEEDS_A_ROUND = 10_000;
const CHANGES_A_ROUND = 1_000_000;

function run(what, files, env) {
  process.stdout.write(`== ${what}\n`);
  const hour = String(3_600_000);
  const result = spawnSync(process.execPath, [vitest, "run", ...files, "--testTimeout", hour], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write("usage: npm run soak -- [rounds]\n");
  process.exit(2);
}
for (let round = 0; round < rounds; round += 1) {
  const first = round * SEEDS_A_ROUND;
  run(`simulation, seeds from ${first}`, ["test/simulation/random-seeds.test.ts"], {
    SCRIM_SIM_SEEDS: String(SEEDS_A_ROUND),
    SCRIM_SIM_FIRST_SEED: String(first),
  });
  run(`tokens, round ${round + 1}`, ["src/auth/verify/differential.test.ts"], {
    SCRIM_FUZZ: String(CHANGES_A_ROUND),
  });
}
