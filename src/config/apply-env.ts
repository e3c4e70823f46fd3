/** What the last call changed in `process.env`: the value before, undefined for none. */
let before = new Map<string, string | undefined>();

/**
 * Makes `env` the environment that the config sees. Variables that an earlier call set are taken back first, so
 * that a line removed from `.env` disappears. The values stay until the next call, for functions of `.apply`.
 */
export function applyEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [key, value] of before) {
    if (value === undefined) delete process.env[key];
    else process.env[key] = value;
  }
  before = new Map();
  for (const [key, value] of Object.entries(env)) {
    if (process.env[key] === value) continue;
    before.set(key, process.env[key]);
    process.env[key] = value;
  }
}
